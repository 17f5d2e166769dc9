// How a game ended, in words: the rule by its name, and who won.
import type { Outcome, Reason } from '$pkg';
import type { GameName } from './board/types';
import { dictionary } from './i18n';
import { sideName } from './words';

const reasons: Readonly<Record<Reason, string>> = dictionary(
  {
    checkmate: 'Checkmate',
    noMoves: 'No legal move',
    repetition: 'Repetition',
    perpetualCheck: 'Perpetual check',
    declaration: 'Declaration',
    kingCaptured: 'King captured',
    try: 'Try',
    resignation: 'Resignation',
    moveLimit: 'Move limit',
    fiftyMoves: 'Fifty-move rule',
    seventyFiveMoves: 'Seventy-five-move rule',
    insufficientMaterial: 'Insufficient material',
    timeout: 'Time',
    illegalMove: 'Illegal move',
    agreement: 'Agreement',
    abandoned: 'Abandoned',
  },
  {
    checkmate: '詰み',
    noMoves: '合法手なし',
    repetition: '千日手',
    perpetualCheck: '連続王手の千日手',
    declaration: '入玉宣言',
    kingCaptured: '玉を取りました',
    try: 'トライ',
    resignation: '投了',
    moveLimit: '手数制限',
    fiftyMoves: '50手ルール',
    seventyFiveMoves: '75手ルール',
    insufficientMaterial: '駒不足',
    timeout: '時間切れ',
    illegalMove: '反則',
    agreement: '合意',
    abandoned: '中断',
  },
);

const games = dictionary(
  {
    sennichite: 'Sennichite (repetition)',
    stalemate: 'Stalemate',
    lion: 'Lion caught',
    wins: (side: string) => `${side} wins`,
    draw: 'Draw',
  },
  {
    sennichite: '千日手',
    stalemate: 'ステイルメイト',
    lion: 'キャッチ',
    wins: (side) => `${side}の勝ち`,
    draw: '引き分け',
  },
);

/** The rule that ended the game, as players of it say. */
export function reasonName(game: GameName, { reason }: Pick<Outcome, 'reason'>): string {
  if (game === 'shogi' && reason === 'repetition') return games.sennichite;
  if (game === 'chess' && reason === 'noMoves') return games.stalemate;
  if (game === 'animal' && (reason === 'kingCaptured' || reason === 'checkmate')) return games.lion;
  return reasons[reason];
}

export function resultText(game: GameName, { winner }: Pick<Outcome, 'winner'>, handicap = false): string {
  return winner ? games.wins(sideName(game, winner, handicap)) : games.draw;
}
