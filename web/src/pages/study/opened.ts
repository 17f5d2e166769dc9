// The study that an address asks for: `?record=` a shared one, `?game=shogi&line=startpos moves …` a line
// from another page, otherwise the one that was left here.
import { Record, type GameName } from '$pkg';
import { go } from '$lib/router.svelte';
import { recordOf, unpack } from '$lib/tree/snapshot';
import { Study } from './study.svelte';
import { text } from './text';

async function asked(query: URLSearchParams): Promise<Record | null> {
  const packed = query.get('record');
  if (packed !== null) return recordOf(await unpack(packed));
  const line = query.get('line');
  return line === null ? null : new Record((query.get('game') ?? 'shogi') as GameName, line);
}

/** Opens in `study` what an address asks for, and says what was wrong with it. */
export async function openInto(study: Study, query: URLSearchParams): Promise<string> {
  let problem = '';
  try {
    const record = await asked(query);
    if (!record) return problem;
    study.replace(record);
  } catch {
    problem = text.badLink;
  }
  // Stored before the address changes: whoever comes back to the page finds it.
  study.save();
  go('study', {}, { replace: true });
  return problem;
}

export async function opened(query: URLSearchParams): Promise<{ study: Study; problem: string }> {
  const study = Study.restored();
  return { study, problem: await openInto(study, query) };
}
