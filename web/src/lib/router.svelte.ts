// Addresses: `#/page/rest?key=value`. The hash keeps the site static: any server, any path, no server.

export interface Route {
  /** The page's name, the first part of the path. Empty at the start page. */
  page: string;
  /** What follows it in the path. */
  rest: string[];
  query: URLSearchParams;
}

/** A part of a path as it was before it was written into an address; one that nobody wrote so stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function parse(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const [page = '', ...rest] = path.split('/').map(decoded);
  return { page, rest: rest.filter((part) => part !== ''), query: new URLSearchParams(query) };
}

let route = $state.raw(parse(location.hash));
addEventListener('hashchange', () => (route = parse(location.hash)));

/** Where the visitor is; reactive. */
export function current(): Route {
  return route;
}

/** The address of a page, for `href`. */
export function href(page: string, query: Record<string, string> = {}): string {
  const search = new URLSearchParams(query).toString();
  return `#/${page}${search ? `?${search}` : ''}`;
}

/** Goes to a page; `replace` keeps the step out of the browser's history. */
export function go(page: string, query: Record<string, string> = {}, { replace = false } = {}): void {
  const address = href(page, query);
  if (replace) {
    history.replaceState(null, '', address);
    route = parse(address);
  } else {
    location.hash = address;
  }
}
