import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Writes into the service worker which files the built site consists of, and a version made of their contents. */
function precacheList(): Plugin {
  return {
    name: 'precache-list',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const worker = bundle['sw.js'];
        if (worker?.type !== 'chunk') throw new Error('the service worker is missing from the build');
        const files = new Map<string, string | Uint8Array>();
        for (const [name, file] of Object.entries(bundle)) {
          if (file !== worker) files.set(name, file.type === 'chunk' ? file.code : file.source);
        }
        for (const name of readdirSync(here('./public'), { recursive: true, encoding: 'utf8' })) {
          const path = here(`./public/${name}`);
          if (statSync(path).isFile()) files.set(name, readFileSync(path));
        }
        // What few need is kept when it is fetched: the package without vector instructions, and the
        // agent at ages that nobody meets without choosing them.
        const seldom = new Set(chosenAges().map((file) => `models/${file}`));
        const names = [...files.keys()].filter((name) => !name.includes('keisei_plain') && !seldom.has(name)).sort();
        const hash = createHash('sha256');
        for (const name of names) hash.update(name).update(files.get(name)!);
        worker.code = worker.code
          .replace('__VERSION__', hash.digest('hex').slice(0, 12))
          .replace('__FILES__', names.join(' '));
      },
    },
  };
}

/** The weights of all networks but the last of each game and those that usual levels play with. */
function chosenAges(): string[] {
  const text = readFileSync(here('../crates/engine/models/models.json'), 'utf8');
  const { networks, levels } = JSON.parse(text) as {
    networks: { id: string; game: string; file: string }[];
    levels: { network?: string; usual?: boolean }[];
  };
  const usual = new Set(levels.filter((level) => level.usual).map(({ network }) => network));
  const earlier = networks.filter(({ game }, index) => networks.slice(index + 1).some((later) => later.game === game));
  return earlier.filter(({ id }) => !usual.has(id)).map(({ file }) => file);
}

/** The built-in networks have one home, the engine's folder; the site has copies under models/. */
function builtInNetworks(): Plugin {
  const folder = here('../crates/engine/models');
  const files = () => readdirSync(folder).filter((name) => /\.(json|safetensors)$/.test(name)).sort();
  return {
    name: 'built-in-networks',
    configureServer(server) {
      server.middlewares.use('/models', (request, response, next) => {
        const name = files().find((file) => request.url === `/${file}`);
        if (name) response.end(readFileSync(`${folder}/${name}`));
        else next();
      });
    },
    generateBundle() {
      for (const name of files()) {
        this.emitFile({ type: 'asset', fileName: `models/${name}`, source: readFileSync(`${folder}/${name}`) });
      }
    },
  };
}

/** A server beside the pages that vite serves: `keisei serve`, at its usual address or another. */
const proxy = { '/api': { target: process.env['KEISEI_SERVER'] ?? 'http://127.0.0.1:8700', ws: true } };

export default defineConfig({
  // Relative, so that the site works under any path.
  base: './',
  plugins: [svelte(), builtInNetworks(), precacheList()],
  resolve: { alias: { $lib: here('./src/lib'), $pkg: here('./pkg/keisei.js') } },
  worker: { format: 'es' },
  server: { proxy },
  preview: { proxy },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: here('./index.html'), sw: here('./src/sw.ts') },
      output: {
        entryFileNames: (chunk) => (chunk.name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
});
