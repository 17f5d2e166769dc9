// The rules, notations and records of the games: the package, loaded once for the page.
import * as keisei from '$pkg';
import { load } from './load';

let loading: Promise<typeof keisei> | undefined;

/** The package, ready for use. After the first time, `$pkg` may also be imported and used directly. */
export function rules(): Promise<typeof keisei> {
  loading ??= load().then(
    () => keisei,
    (problem: unknown) => {
      // Whoever asks again tries again.
      loading = undefined;
      throw problem;
    },
  );
  return loading;
}
