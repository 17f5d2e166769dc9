// Numbers, times and sizes as people read them.
import { settings } from '$lib/settings.svelte';

const locale = () => (settings.language === 'ja' ? 'ja-JP' : 'en-GB');
// A British million is a small m, which is a metre to everybody else.
const countLocale = () => (settings.language === 'ja' ? 'ja-JP' : 'en-US');

/** A count in few letters: 12.3M in English, 1230万 in Japanese. */
export const compact = (count: number): string =>
  new Intl.NumberFormat(countLocale(), { notation: 'compact', maximumSignificantDigits: 3 }).format(count);

export const whole = (count: number): string => new Intl.NumberFormat(locale()).format(Math.round(count));

/** A measured value with as many digits as matter. */
export function value(number: number): string {
  const size = Math.abs(number);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return number.toExponential(2).replace(/\.?0+e/, 'e');
  return new Intl.NumberFormat(locale(), { maximumSignificantDigits: 4, signDisplay: 'negative' }).format(number);
}

/** Seconds as a clock has them: 3d 4h, 2:05:09, 1:07. */
export function duration(seconds: number): string {
  const [days, hours, minutes] = [seconds / 86400, (seconds / 3600) % 24, (seconds / 60) % 60].map(Math.floor) as [number, number, number];
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  if (days > 0) return settings.language === 'ja' ? `${days}日${hours}時間` : `${days}d ${hours}h`;
  if (hours > 0) return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
  return `${minutes}:${two(seconds % 60)}`;
}

export const date = (timestamp: string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(timestamp));

export const fileSize = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
