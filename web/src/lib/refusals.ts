// Why something was refused, in the reader's language: the package says it as data.
import type { Explanation, GameName, RefusalCode } from '$pkg';
import { settings } from './settings.svelte';
import { pieceName, sideName } from './words';

/** An error of the package; what no person caused has no explanation. */
interface Refusal extends Error {
  explanation?: Explanation;
  /** Where in a file. */
  line?: number;
  column?: number;
}

const FILES = '１２３４５６７８９';
const RANKS = '一二三四五六七八九';

/** A square as Japanese writes it: ７六. Chess keeps its own names. */
function squareName(game: GameName, square: string | null): string {
  if (square === null) return '';
  if (game === 'chess') return square;
  return `${FILES.charAt(Number(square.charAt(0)) - 1)}${RANKS.charAt(square.charCodeAt(1) - 97)}`;
}

interface Words {
  square: string;
  to: string;
  by: string;
  kind: string;
  side: string;
  count: string;
}

const japanese: Record<RefusalCode, (words: Words) => string> = {
  notAMove: () => '指し手として読めません',
  noSuchMove: ({ kind, to }) => (kind && to ? `${to}に動ける${kind}がありません` : 'その指し手はありません'),
  ambiguous: ({ kind, to }) => `${to && `${to}に`}動ける${kind}が複数あります`,
  gameOver: () => '対局は終わっています',
  noPiece: ({ square }) => `${square}に駒がありません`,
  opponentsPiece: ({ square, kind }) => `${square}の${kind}は相手の駒です`,
  ownPiece: ({ square, kind }) => `${square}には自分の${kind}があります`,
  unreachable: ({ square, kind, to }) => `${square}の${kind}は${to}に動けません`,
  blocked: ({ square, kind, to, by }) => `${square}の${kind}は${to}に動けません(${by}の駒が邪魔をしています)`,
  nothingToCapture: ({ square }) => `${square}に取れる駒がありません`,
  noPromotion: ({ kind }) => (kind ? `${kind}は成れません` : 'この手では成れません'),
  mustPromote: ({ square, kind }) => `${square}の${kind}は成らなければなりません`,
  notInHand: ({ kind }) => `${kind}は持ち駒にありません`,
  occupied: ({ square }) => `${square}には駒があるので打てません`,
  deadDrop: ({ square, kind }) => `${square}に${kind}を打つと動けなくなります`,
  twoPawns: ({ square, by, side }) => `二歩です(${side && `${side}の`}${by}と${square})`,
  dropPawnMate: ({ square }) => `${square}歩は打ち歩詰めです`,
  stillInCheck: ({ by }) => `王手(${by}の駒)を防いでいません`,
  exposesKing: ({ by }) => `${by}の駒に王を取られます`,
  kingIntoCheck: ({ square, by }) => `${square}には${by}の駒が利いています`,
  castlingRightLost: () => 'キャスリングできません(キングかルークが動いています)',
  castlingBlocked: ({ by }) => `キャスリングできません(${by}に駒があります)`,
  castlingInCheck: () => 'キャスリングできません(チェックされています)',
  castlingAttacked: ({ square }) => `キャスリングできません(${square}に相手の駒が利いています)`,
  notAPosition: () => '局面として読めません',
  noKing: ({ side, kind }) => `${side && `${side}の`}${kind}がありません`,
  manyKings: ({ side, kind }) => `${side}の${kind}が二枚以上あります`,
  kingsTouch: ({ square, by }) => `キングどうしが隣り合っています(${square}と${by})`,
  deadPiece: ({ side, square, kind }) => `${side && `${side}の`}${square}の${kind}は動けません`,
  manyPieces: ({ side, kind, count }) => `${side && `${side}の`}${kind || '駒'}が多すぎます(${count}枚)`,
  manyPawns: ({ side }) => `${side}のポーンと成った駒が多すぎます`,
  opponentInCheck: ({ side, square, by }) => `${side}の手番ですが、相手の王(${square})に${by}の駒の王手がかかっています`,
  manyCheckers: ({ count }) => `王手をかけている駒が多すぎます(${count}枚)`,
  castlingRight: ({ side, square, kind }) => `${side}はキャスリングできません(${square}に${kind}がありません)`,
  enPassant: ({ square }) => `${square}はアンパッサンの升ではありません`,
  unknownFormat: () => '棋譜の形式がわかりません',
  unknownEncoding: () => '文字コードがわかりません(UTF-8、Shift_JIS、EUC-JPが読めます)',
  recordMove: ({ count }) => `${count}手目の指し手が正しくありません`,
  recordPosition: () => '開始局面が正しくありません',
  recordText: () => '書き方が正しくありません',
};

const KING: Record<GameName, string> = { shogi: 'K', chess: 'K', animal: 'L' };

function explain(game: GameName, { code, square, to, by, kind, side, count }: Explanation): string {
  // Only the king of a side can be missing or be there twice.
  const piece = kind ?? (code === 'noKing' || code === 'manyKings' ? KING[game] : null);
  return japanese[code]({
    square: squareName(game, square),
    to: squareName(game, to),
    by: squareName(game, by),
    kind: piece === null ? '' : pieceName(game, piece),
    side: side === null ? '' : sideName(game, side),
    count: count === null ? '' : String(count),
  });
}

/** What went wrong, for a person. */
export function refusalText(game: GameName, error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { explanation, line, column, message } = error as Refusal;
  if (settings.language === 'en' || !explanation) return message;
  const sentence = explain(game, explanation);
  return line === undefined ? sentence : `${line}行${column}文字目: ${sentence}`;
}
