// The drawing of a branch tree: a row for each ply, a lane for each line, the main line in lane 0.
import type { TreeNode } from '$pkg';

export const LANE = 18;
export const ROW = 28;
/** How far lane 0 is from the edge. */
export const EDGE = 12;

export const laneX = (lane: number): number => EDGE + lane * LANE;
export const rowY = (ply: number): number => ply * ROW + ROW / 2;

/**
 * The lane of each node. A line keeps its lane from its first move to its last; a variation takes the
 * nearest lane to the right of the line it leaves that is free for its whole length.
 */
export function lanesOf(nodes: readonly TreeNode[]): Map<number, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const lanes = new Map<number, number>();
  /** The plies that are taken in each lane. */
  const taken: [from: number, to: number][][] = [];
  for (const node of nodes) {
    if (lanes.has(node.id)) continue;
    // The first node of a line: those that follow it by first continuations share its lane.
    const line = [node];
    for (let next = byId.get(node.children[0] ?? -1); next; next = byId.get(next.children[0] ?? -1)) line.push(next);
    const parent = node.parent === null ? undefined : lanes.get(node.parent);
    const from = Math.max(node.ply - 1, 0);
    const to = node.ply + line.length - 1;
    let lane = parent === undefined ? 0 : parent + 1;
    while ((taken[lane] ?? []).some(([first, last]) => from <= last && first <= to)) lane++;
    (taken[lane] ??= []).push([from, to]);
    for (const { id } of line) lanes.set(id, lane);
  }
  return lanes;
}

export interface Branch {
  id: number;
  /** The path of the step from the parent. */
  path: string;
}

/** The steps of a tree as paths. A branch leaves its parent in a curve and then runs straight down its lane. */
export function branches(nodes: readonly TreeNode[], lanes: ReadonlyMap<number, number>): Branch[] {
  return nodes.flatMap(({ id, parent, ply }) => {
    if (parent === null) return [];
    const [x0, x1] = [laneX(lanes.get(parent) ?? 0), laneX(lanes.get(id) ?? 0)];
    const [y0, y1] = [rowY(ply - 1), rowY(ply)];
    const path =
      x0 === x1 ? `M${x0} ${y0}V${y1}` : `M${x0} ${y0}C${x0} ${y1 - 4} ${x1} ${y0 + 4} ${x1} ${y1}`;
    return [{ id, path }];
  });
}

/** The nodes from the start to `id`. */
export function lineTo(byId: ReadonlyMap<number, TreeNode>, id: number): TreeNode[] {
  const line: TreeNode[] = [];
  for (let node = byId.get(id); node; node = node.parent === null ? undefined : byId.get(node.parent)) {
    line.push(node);
  }
  return line.reverse();
}
