// The program itself beside the browser: `keisei serve` with folders of its own, and runs in training.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const KEISEI = process.env['KEISEI'] ?? ['../target/release/keisei', '../target/debug/keisei'].find(existsSync) ?? 'keisei';

// Variables that begin so are settings of training, and those of the tests are none.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('KEISEI')));

export class Keisei {
  /** Where the pages are. */
  address = '';
  readonly #folder = mkdtempSync(join(tmpdir(), 'keisei-web-'));
  readonly #children: ChildProcess[] = [];

  async serve(): Promise<void> {
    const server = spawn(KEISEI, ['serve', '--listen', '0', '--runs', this.#runs, '--records', join(this.#folder, 'records')], { env });
    this.#children.push(server);
    for await (const line of createInterface({ input: server.stdout! })) {
      this.address = line.replace('Keisei is at ', '');
      return;
    }
    throw new Error('keisei serve ended');
  }

  /** Runs a command to its end. */
  run(...command: string[]): { status: number | null; complaint: string } {
    const { status, stderr } = spawnSync(KEISEI, command, { env });
    return { status, complaint: stderr.toString() };
  }

  /** Trains to the end. */
  train(name: string, steps: number): { status: number | null; complaint: string } {
    return this.run(...this.#training(name, steps));
  }

  /** Trains until `end`. */
  trainOn(name: string): void {
    this.#children.push(spawn('nice', [KEISEI, ...this.#training(name, 100_000_000)], { env, stdio: 'ignore' }));
  }

  async end(): Promise<void> {
    for (const child of this.#children) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The folder of a run. */
  folderOf(name: string): string {
    return join(this.#runs, name);
  }

  get #runs(): string {
    return join(this.#folder, 'runs');
  }

  #training(name: string, steps: number): string[] {
    return ['train', '--plain', '--preset', 'cpu-smoke', '--run', name, '--runs', this.#runs, '--steps', String(steps)];
  }
}
