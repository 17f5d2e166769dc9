// The keys of the study page.
import type { Study } from './study.svelte';

/** What keys do beyond moving about in the study. */
export interface KeyActions {
  flip: () => void;
  analyse: () => void;
  heat: () => void;
  bookmark: () => void;
  comment: () => void;
  help: () => void;
  /** Plays the best move, if one is known. */
  best: (() => void) | undefined;
}

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

/** Whether a key belongs to what has the focus; arrow keys belong to the board only if Tab led there. */
export function belongsToFocus({ key, target, ctrlKey, metaKey }: KeyboardEvent, tabbed: boolean): boolean {
  if (isTyping(target)) return true;
  if (!tabbed || !(target instanceof HTMLElement)) return false;
  if (target.closest('[role=grid]') && !ctrlKey && !metaKey && /^(Arrow|Enter| |Escape)/.test(key)) return true;
  return (key === ' ' || key === 'Enter') && target.closest('button, a, [role=tab]') !== null;
}

/** What a key does, if anything. */
export function actionOf({ key, ctrlKey, metaKey, shiftKey: shift }: KeyboardEvent, study: Study, actions: KeyActions): (() => void) | undefined {
  if (ctrlKey || metaKey) {
    if (key === 'z' || key === 'Z') return shift ? () => study.redo() : () => study.undo();
    return key === 'y' ? () => study.redo() : undefined;
  }
  switch (key) {
    case 'ArrowLeft': return () => study.previous();
    case 'ArrowRight': return () => study.next();
    case 'ArrowUp': return shift ? () => study.promote(study.current) : () => study.cycle(-1);
    case 'ArrowDown': return shift ? () => study.demote(study.current) : () => study.cycle(1);
    case 'Home': return () => study.first();
    case 'End': return () => study.last();
    case 'f': return actions.flip;
    case 'a': return actions.analyse;
    case 'h': return actions.heat;
    case 'm': return () => study.makeMain(study.current);
    case 'b': return actions.bookmark;
    case 'c': return actions.comment;
    case 'Delete': return () => study.remove(study.current);
    case '?': return actions.help;
    case ' ': return actions.best;
    default: return undefined;
  }
}
