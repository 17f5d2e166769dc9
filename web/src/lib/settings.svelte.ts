// What a person chooses once and keeps: language, theme, pieces, sounds. Stored in this browser.

export const LANGUAGES = ['ja', 'en'] as const;
export const THEMES = ['system', 'light', 'dark'] as const;
export const SHOGI_PIECES = ['two-kanji', 'one-kanji', 'international'] as const;
export const ANIMAL_PIECES = ['animals', 'kanji'] as const;
export const NOTATIONS = ['japanese', 'western', 'kif', 'usi'] as const;

export type Language = (typeof LANGUAGES)[number];
export type Theme = (typeof THEMES)[number];
export type ShogiPieces = (typeof SHOGI_PIECES)[number];
export type AnimalPieces = (typeof ANIMAL_PIECES)[number];
/** How moves of shogi and animal shogi are written. Chess is always written in SAN. */
export type Notation = (typeof NOTATIONS)[number];

export interface Settings {
  language: Language;
  theme: Theme;
  shogiPieces: ShogiPieces;
  animalPieces: AnimalPieces;
  notation: Notation;
  coordinates: boolean;
  sounds: boolean;
}

const KEY = 'keisei.settings';

function defaults(): Settings {
  const japanese = navigator.language.toLowerCase().startsWith('ja');
  return {
    language: japanese ? 'ja' : 'en',
    theme: 'system',
    shogiPieces: japanese ? 'two-kanji' : 'one-kanji',
    animalPieces: 'animals',
    notation: japanese ? 'japanese' : 'western',
    coordinates: true,
    sounds: true,
  };
}

/** The value stored under `key`, or `undefined` where there is none or it cannot be read. */
export function recall(key: string): unknown {
  try {
    const text = localStorage.getItem(key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Stores a value under `key`. A browser that refuses to store anything forgets it at the end of the visit. */
export function remember(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden: the page works on without a memory.
  }
}

const allowed: { [K in keyof Settings]: readonly Settings[K][] } = {
  language: LANGUAGES,
  theme: THEMES,
  shogiPieces: SHOGI_PIECES,
  animalPieces: ANIMAL_PIECES,
  notation: NOTATIONS,
  coordinates: [true, false],
  sounds: [true, false],
};

function stored(): Settings {
  const settings = defaults();
  const found = recall(KEY);
  if (typeof found !== 'object' || found === null) return settings;
  const values = found as Record<string, unknown>;
  const take = <K extends keyof Settings>(key: K) => {
    const value = allowed[key].find((choice) => choice === values[key]);
    if (value !== undefined) settings[key] = value;
  };
  (Object.keys(allowed) as (keyof Settings)[]).forEach(take);
  return settings;
}

/** The settings, reactive: assign to a field and it is shown and stored. */
export const settings: Settings = $state(stored());

$effect.root(() => {
  $effect(() => {
    remember(KEY, settings);
    document.documentElement.lang = settings.language;
    document.documentElement.dataset['theme'] = settings.theme;
  });
});
