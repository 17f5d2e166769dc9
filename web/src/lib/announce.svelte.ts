// What is said to screen readers as it happens: one live region in the shell, filled from anywhere.

let said = $state({ text: '', turn: 0 });

export const spoken = () => said;

/** Says a text politely. The same text again is said again. */
export function announce(text: string): void {
  said = { text, turn: said.turn + 1 };
}
