// A record as plain data: kept in this browser over a reload, and packed into the address of a shared study.
import { Record, type EndingName, type GameName, type Header, type NodeEvaluation } from '$pkg';

/** A step below another node. `at` is the place of the parent in the list, 0 for the start. */
interface Step {
  at: number;
  move?: string;
  end?: EndingName;
  comment?: string;
  bookmark?: string;
  nags?: number[];
  seconds?: number;
  clock?: number;
  evaluations?: NodeEvaluation[];
}

export interface Snapshot {
  game: GameName;
  start: string;
  headers: Header[];
  /** What is noted at the start. */
  root: Omit<Step, 'at' | 'move' | 'end'>;
  /** The steps, each after its parent and the main ones first. */
  steps: Step[];
  /** The place of the cursor, 0 for the start. */
  current: number;
}

export function snapshotOf(record: Record): Snapshot {
  const [root, ...nodes] = record.nodes('usi');
  if (!root) throw new Error('a record has a start');
  const place = new Map([root, ...nodes].map((node, index) => [node.id, index]));
  const noted = (node: typeof root): Snapshot['root'] => ({
    ...(node.comment && { comment: node.comment }),
    ...(node.bookmark !== null && { bookmark: node.bookmark }),
    ...(node.nags.length > 0 && { nags: node.nags }),
    ...(node.seconds !== null && { seconds: node.seconds }),
    ...(node.clock !== null && { clock: node.clock }),
    ...(node.evaluations.length > 0 && { evaluations: node.evaluations }),
  });
  return {
    game: record.game,
    start: record.start,
    headers: record.headers(),
    root: noted(root),
    steps: nodes.map((node) => ({
      at: place.get(node.parent ?? root.id) ?? 0,
      ...(node.move ? { move: node.move.move } : { end: node.ending ?? 'error' }),
      ...noted(node),
    })),
    current: place.get(record.current) ?? 0,
  };
}

/** The record again. Throws where the data is no legal game. */
export function recordOf(snapshot: Snapshot): Record {
  const record = new Record(snapshot.game, snapshot.start);
  for (const { key, value } of snapshot.headers) record.setHeader(key, value);
  const ids = [record.current];
  const note = (id: number, step: Snapshot['root']) => {
    if (step.comment) record.setComment(id, step.comment);
    if (step.bookmark !== undefined) record.setBookmark(id, step.bookmark);
    if (step.nags) record.setNags(id, Uint8Array.from(step.nags));
    if (step.seconds !== undefined) record.setSeconds(id, step.seconds);
    if (step.clock !== undefined) record.setClock(id, step.clock);
    if (step.evaluations) record.setEvaluations(id, step.evaluations);
  };
  note(ids[0]!, snapshot.root);
  for (const step of snapshot.steps) {
    const parent = ids[step.at];
    if (parent === undefined) throw new Error('a step without a place to stand on');
    record.jump(parent);
    const id = step.move === undefined ? record.end(step.end ?? 'error') : record.play(step.move);
    note(id, step);
    ids.push(id);
  }
  record.jump(ids[snapshot.current] ?? ids[0]!);
  return record;
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream): Promise<Uint8Array> {
  const flow = new Blob([bytes]).stream().pipeThrough(stream as TransformStream<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(flow).arrayBuffer());
}

/** The snapshot in letters that an address can carry. */
export async function pack(snapshot: Snapshot): Promise<string> {
  const json = new TextEncoder().encode(JSON.stringify(snapshot));
  const small = await through(json, new CompressionStream('deflate-raw'));
  let binary = '';
  for (const byte of small) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export async function unpack(text: string): Promise<Snapshot> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const small = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  const json = await through(small, new DecompressionStream('deflate-raw'));
  return JSON.parse(new TextDecoder().decode(json)) as Snapshot;
}
