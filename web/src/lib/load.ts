// Loads the package: compiled with vector instructions where the browser has them, plainly elsewhere.
import init from '$pkg';
import plain from '../../pkg/keisei_plain_bg.wasm?url';

/** A module of one function that makes a vector: `i32.const 0; i8x16.splat; drop`. */
const VECTORS = new Uint8Array([
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x04, 0x01, 0x60, 0x00, 0x00, 0x03, 0x02, 0x01, 0x00, 0x0a,
  0x09, 0x01, 0x07, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0x1a, 0x0b,
]);

export async function load(): Promise<void> {
  await (WebAssembly.validate(VECTORS) ? init() : init({ module_or_path: plain }));
}
