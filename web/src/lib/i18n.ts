// Texts in every language the client speaks. A phrase is written once with all its languages side by
// side, so none can be missing; reading one follows the language setting as it changes.
import { settings, type Language } from './settings.svelte';

/** Fixed words, or a function of what changes in them. */
type Phrase = string | ((...details: never[]) => string);
type Widened<T> = { readonly [K in keyof T]: T[K] extends string ? string : T[K] };

/**
 * Makes a dictionary: `const text = dictionary({ newGame: 'New game', … }, { newGame: '新規対局', … })`,
 * then `text.newGame` or `text.movesPlayed(12)` in a component. The English side decides which keys
 * there are and what they take; the compiler refuses a Japanese side with others.
 */
export function dictionary<const T extends Record<string, Phrase>>(
  en: T,
  ja: NoInfer<Widened<T>>,
): Widened<T> {
  const languages: Record<Language, Widened<T>> = { en: en as Widened<T>, ja };
  return new Proxy(ja, {
    get: (_, key) => languages[settings.language][key as keyof T],
  });
}
