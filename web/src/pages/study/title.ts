// What a study is called: by its players, or else by the event.
import type { GameName, Header } from '$pkg';
import { text } from './text';

export function titleOf(game: GameName, headers: readonly Header[]): string {
  const value = (...keys: string[]) => headers.find(({ key }) => keys.includes(key))?.value;
  const [first, second] = game === 'chess' ? [value('White'), value('Black')] : [value('先手', '下手'), value('後手', '上手')];
  if (first || second) return `${first || '–'} – ${second || '–'}`;
  return value('表題', '作品名', '棋戦', 'Event') || text.untitled;
}
