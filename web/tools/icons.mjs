// Draws public/icon-*.png from public/icon.svg with the system's Chromium: node tools/icons.mjs
import { readFileSync } from 'node:fs';
import { chromium } from '@playwright/test';

const file = (name) => new URL(`../public/${name}`, import.meta.url).pathname;
const svg = readFileSync(file('icon.svg'), 'utf8');
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const size of [192, 512]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0;background:#f4f0e7}svg{display:block}</style>${svg}`);
  await page.screenshot({ path: file(`icon-${size}.png`) });
}
await browser.close();
