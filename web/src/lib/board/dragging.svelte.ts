// Dragging a piece with mouse, pen or finger: where it hangs, and what becomes of it when let go.
import { sameOrigin, type Origin, type Picking } from './picking.svelte';
import type { Kind, Side } from './types';

interface Point {
  x: number;
  y: number;
}

interface Drag {
  origin: Origin;
  pointer: number;
  /** The middle of the place it was taken from. */
  from: Point;
  /** How far the pointer is from there; `null` while the press may still be a click. */
  by: Point | null;
  /** It was already picked up before: a plain click puts it back. */
  again: boolean;
  touch: boolean;
}

export class Dragging {
  #drag = $state.raw<Drag | null>(null);
  /** The square under the pointer. */
  over = $state<number | null>(null);
  /** The last move was made by a drag, so the piece is already where it belongs. */
  made = false;

  readonly #picking: Picking;
  readonly #squareAt: (event: PointerEvent) => number | null;

  constructor(picking: Picking, squareAt: (event: PointerEvent) => number | null) {
    this.#picking = picking;
    this.#squareAt = squareAt;
  }

  /** How the dragged piece is drawn: under the mouse, or above the finger that hides it. */
  readonly style = $derived.by(() => {
    const drag = this.#drag;
    if (!drag?.by) return '';
    const lift = drag.touch ? 'translateY(-35%) scale(1.5)' : 'scale(1.08)';
    return `transform: translate(${drag.by.x}px, ${drag.by.y}px) ${lift}`;
  });

  /** The square whose piece is being dragged. */
  readonly square = $derived.by(() => {
    const drag = this.#drag;
    return drag?.by && 'square' in drag.origin ? drag.origin.square : null;
  });

  /** The kind that is being dragged out of the hand of `side`. */
  kind(side: Side): Kind | null {
    const drag = this.#drag;
    return drag?.by && 'hand' in drag.origin && drag.origin.side === side ? drag.origin.hand : null;
  }

  /** The pointer goes down on what may move: `take` picks it up. */
  press(origin: Origin, event: PointerEvent, take: (origin: Origin) => boolean): void {
    const again = sameOrigin(this.#picking.origin, origin);
    if (!again && !take(origin)) return;
    const box = (event.target as HTMLElement).closest('[data-square], [data-kind]')!.getBoundingClientRect();
    this.#drag = {
      origin,
      pointer: event.pointerId,
      from: { x: box.left + box.width / 2, y: box.top + box.height / 2 },
      by: null,
      again,
      touch: event.pointerType === 'touch',
    };
  }

  move(event: PointerEvent): void {
    const drag = this.#drag;
    if (drag?.pointer !== event.pointerId) return;
    const home = 'square' in drag.origin && this.#squareAt(event) === drag.origin.square;
    const still = Math.hypot(event.movementX, event.movementY) < 1;
    if (drag.by === null && home && still) return;
    this.#drag = { ...drag, by: { x: event.clientX - drag.from.x, y: event.clientY - drag.from.y } };
    this.over = this.#squareAt(event);
  }

  release(event: PointerEvent): void {
    const drag = this.#drag;
    if (drag?.pointer !== event.pointerId) return;
    this.cancel();
    const square = this.#squareAt(event);
    const home = 'square' in drag.origin && drag.origin.square === square;
    if (home || drag.by === null) {
      if (drag.again) this.#picking.drop();
      return;
    }
    this.made = true;
    if (square !== null && this.#picking.put(square)) return;
    this.made = false;
    this.#picking.drop();
  }

  cancel(): void {
    this.#drag = null;
    this.over = null;
  }
}
