// The study that an address asks for: `?record=` a shared one, `?game=shogi&line=startpos moves …` a line
// from another page, otherwise the one that was left here.
import { Record, type GameName } from '$pkg';
import { go } from '$lib/router.svelte';
import { recordOf, unpack } from '$lib/tree/snapshot';
import { Study } from './study.svelte';
import { text } from './text';

export async function opened(query: URLSearchParams): Promise<{ study: Study; problem: string }> {
  const study = Study.restored();
  const packed = query.get('record');
  const line = query.get('line');
  if (packed === null && line === null) return { study, problem: '' };
  go('study', {}, { replace: true });
  try {
    if (packed !== null) study.replace(recordOf(await unpack(packed)));
    else study.replace(new Record((query.get('game') ?? 'shogi') as GameName, line));
    return { study, problem: '' };
  } catch {
    return { study, problem: text.badLink };
  }
}
