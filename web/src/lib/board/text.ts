// The words of the board.
import { dictionary } from '$lib/i18n';

export const text = dictionary(
  {
    board: 'Board',
    hand: (side: string) => `${side}: pieces in hand`,
    captured: (side: string) => `${side}: captured pieces`,
    target: 'can go here',
    check: 'in check',
    occupied: (square: string, side: string, piece: string) => `${square}, ${side} ${piece}`,
    vacant: (square: string) => `${square}, empty`,
    held: (piece: string, count: number) => `${piece}, ${count} in hand`,
    pickedUp: (piece: string, targets: number) => `${piece} picked up, ${targets} squares to go to`,
    putBack: 'put back',
    promotion: 'Promote?',
    promote: (piece: string) => `promote to ${piece}`,
    stay: (piece: string) => `do not promote, stay ${piece}`,
  },
  {
    board: '盤',
    hand: (side) => `${side}の持ち駒`,
    captured: (side) => `${side}が取った駒`,
    target: '移動可',
    check: '王手',
    occupied: (square, side, piece) => `${square} ${side}の${piece}`,
    vacant: (square) => `${square} 空き`,
    held: (piece, count) => `${piece} ${count}枚`,
    pickedUp: (piece, targets) => `${piece}を選択 移動先${targets}か所`,
    putBack: '選択解除',
    promotion: '成りますか',
    promote: (piece) => `成る ${piece}`,
    stay: (piece) => `不成 ${piece}`,
  },
);
