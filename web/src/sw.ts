// The service worker: keeps the whole site, so that it opens and plays without a network.
/// <reference lib="webworker" />
const worker = self as unknown as ServiceWorkerGlobalScope;

/** Both are written in by the build (`precacheList` in vite.config.ts). */
const VERSION = '__VERSION__';
const FILES = '__FILES__'.split(' ');

const SITE = `keisei-${VERSION}`;
const scope = new URL('./', worker.location.href);

// A new version waits until the last page of the old one is closed, so that no page misses its files.
worker.addEventListener('install', (event) => {
  const keep = async () => {
    const cache = await caches.open(SITE);
    await cache.addAll(FILES.map((file) => new Request(new URL(file, scope), { cache: 'reload' })));
  };
  event.waitUntil(keep());
});

worker.addEventListener('activate', (event) => {
  const tidy = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith('keisei-') && name !== SITE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await worker.clients.claim();
  };
  event.waitUntil(tidy());
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const ours = url.origin === scope.origin && url.pathname.startsWith(scope.pathname);
  const server = url.pathname.slice(scope.pathname.length).startsWith('api');
  if (request.method !== 'GET' || !ours || server) return;
  event.respondWith(answer(request));
});

/** A file with a hash in its name never changes; everything else is asked of the network first. */
async function answer(request: Request): Promise<Response> {
  // Servers may say that answers vary with the origin; ours are always the same files.
  const kept = () => caches.match(request, { ignoreSearch: request.mode === 'navigate', ignoreVary: true });
  if (new URL(request.url).pathname.includes('/assets/')) return (await kept()) ?? keep(request);
  try {
    return await (request.url.endsWith('.safetensors') ? keep(request) : fetch(request));
  } catch (unreachable) {
    const page = request.mode === 'navigate' ? await caches.match(new URL('index.html', scope), { ignoreVary: true }) : undefined;
    const response = (await kept()) ?? page;
    if (!response) throw unreachable;
    return response;
  }
}

/** Fetches a file that not everybody needs, and keeps it. */
async function keep(request: Request): Promise<Response> {
  const response = await fetch(request);
  if (response.ok) await (await caches.open(SITE)).put(request, response.clone());
  return response;
}

export {};
