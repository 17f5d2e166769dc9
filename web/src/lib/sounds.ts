// Sounds, synthesised: wood on wood for moves, a bell for check and for the end, a tick for time.
import { settings } from './settings.svelte';

let context: AudioContext | undefined;

/** Browsers let a page sound only after a click or a key; until then it is silent. */
function output(): AudioContext | undefined {
  if (!settings.sounds || !navigator.userActivation?.hasBeenActive) return undefined;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  return context;
}

let noise: AudioBuffer | undefined;

/** A short knock: filtered noise with the resonance of a board. */
function knock(audio: AudioContext, { pitch, volume, after = 0 }: { pitch: number; volume: number; after?: number }) {
  if (!noise) {
    noise = audio.createBuffer(1, audio.sampleRate / 5, audio.sampleRate);
    const samples = noise.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  }
  const at = audio.currentTime + after;
  const source = audio.createBufferSource();
  source.buffer = noise;
  const filter = audio.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = pitch;
  filter.Q.value = 3.5;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(volume, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + 0.09);
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start(at, Math.random() * 0.05, 0.12);
}

function bell(audio: AudioContext, { pitch, volume, after = 0 }: { pitch: number; volume: number; after?: number }) {
  const at = audio.currentTime + after;
  const oscillator = audio.createOscillator();
  oscillator.type = 'sine';
  oscillator.frequency.value = pitch;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(volume, at + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.001, at + 0.7);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(at);
  oscillator.stop(at + 0.75);
}

export type Sound = 'move' | 'capture' | 'check' | 'end' | 'tick';

export function sound(name: Sound): void {
  const audio = output();
  if (!audio) return;
  switch (name) {
    case 'move':
      return knock(audio, { pitch: 1150, volume: 0.9 });
    case 'capture':
      knock(audio, { pitch: 900, volume: 0.9 });
      return knock(audio, { pitch: 1500, volume: 0.6, after: 0.05 });
    case 'check':
      knock(audio, { pitch: 1150, volume: 0.9 });
      return bell(audio, { pitch: 1318.5, volume: 0.08, after: 0.03 });
    case 'end':
      bell(audio, { pitch: 523.25, volume: 0.12 });
      return bell(audio, { pitch: 783.99, volume: 0.1, after: 0.16 });
    case 'tick':
      return knock(audio, { pitch: 2600, volume: 0.25 });
  }
}
