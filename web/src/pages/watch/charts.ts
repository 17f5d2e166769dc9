// Which metrics make which chart. The names are those that training writes.
import type { Curve } from '$lib/server';
import { text } from './text';

export interface Series {
  label: string;
  curve: Curve;
  /** The lower and the upper end of its 95 % interval at each point, where it has one. */
  interval?: { low: number[]; high: number[] };
  /** The number of its colour, from 1. */
  color: number;
}

export interface ChartDefinition {
  id: string;
  title: string;
  /** The values that the axis has whatever the curve does. */
  range?: [number, number];
  lines: { metric: string; label: string; low?: string; high?: string; error?: string }[];
}

const SCORE = 'eval/score_vs_';

/** What an opponent of evaluations is called. */
export function opponentName(name: string): string {
  const greedy = name.endsWith('_greedy');
  const bare = greedy ? name.slice(0, -'_greedy'.length) : name;
  const known: Record<string, string> = { random: text.random, previous: text.previous };
  const label = known[bare] ?? bare;
  return greedy ? text.greedyOf(label) : label;
}

/** Scores against each opponent that the run meets. */
function scores(metrics: readonly string[]): ChartDefinition {
  const found = metrics.filter((name) => name.startsWith(SCORE) && !/_(low|high)$/.test(name));
  const lines = found.map((metric) => ({
    metric,
    label: opponentName(metric.slice(SCORE.length)),
    low: `${metric}_low`,
    high: `${metric}_high`,
  }));
  return { id: 'score', title: text.score, range: [0, 1], lines };
}

/** The charts of a run that has these metrics, in the order in which they are looked at. */
export function charts(metrics: readonly string[]): ChartDefinition[] {
  const line = (metric: string, label = '') => ({ metric, label });
  const one = (id: string, title: string, metric: string, range?: [number, number]): ChartDefinition => ({
    id, title, ...(range && { range }), lines: [line(metric)],
  });
  const all: ChartDefinition[] = [
    scores(metrics),
    {
      id: 'rating',
      title: text.rating,
      lines: [{ metric: 'eval/elo', label: '', error: 'eval/elo_err' }],
    },
    one('value-loss', text.valueLoss, 'losses/value_loss'),
    one('policy-loss', text.policyLoss, 'losses/policy_loss'),
    one('entropy', text.entropy, 'losses/entropy'),
    one('kl', text.kl, 'losses/approx_kl'),
    one('explained', text.explained, 'losses/explained_variance', [0, 1]),
    one('length', text.length, 'games/length'),
    {
      id: 'endings',
      title: text.endings,
      range: [0, 1],
      lines: [
        line('games/decisive_rate', text.decisive),
        line('games/draw_rate', text.drawn),
        line('games/truncation_rate', text.cutOff),
      ],
    },
    {
      id: 'mates',
      title: text.mates,
      range: [0, 1],
      lines: [
        line('eval/mate_in_one', text.greedy),
        line('eval/mate_in_one_sampled', text.sampled),
        line('eval/mate_in_one_chance', text.chance),
      ],
    },
    {
      id: 'sign',
      title: text.valueSign,
      range: [0.5, 1],
      lines: [
        line('values/sign_accuracy_1_10', text.lastTen),
        line('values/sign_accuracy_11_30', text.lastThirty),
        line('values/sign_accuracy_31_', text.earlier),
      ],
    },
    one('rewind', text.rewind, 'rewind/k'),
    one('rewind-decisive', text.rewindDecisive, 'rewind/decisive_rate', [0, 1]),
    one('teacher', text.teacherKl, 'teacher/kl'),
    one('rate', text.learningRate, 'charts/learning_rate'),
    one('speed', text.speed, 'charts/SPS'),
  ];
  const has = new Set(metrics);
  const present = ({ lines, ...rest }: ChartDefinition) => ({
    ...rest,
    lines: lines.filter(({ metric }) => has.has(metric)),
  });
  return all.map(present).filter(({ lines }) => lines.length > 0);
}

/** The metrics that charts need. */
export function needed(definitions: readonly ChartDefinition[]): string[] {
  const names = definitions.flatMap(({ lines }) =>
    lines.flatMap(({ metric, low, high, error }) => [metric, low, high, error]),
  );
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** The series of a chart from the curves of a run. */
export function series(definition: ChartDefinition, curves: ReadonlyMap<string, Curve>): Series[] {
  return definition.lines.flatMap(({ metric, label, low, high, error }, index) => {
    const curve = curves.get(metric);
    if (!curve || curve.x.length === 0) return [];
    const found: Series = { label, curve, color: (index % 6) + 1 };
    const [below, above, around] = [low, high, error].map((name) => (name ? curves.get(name) : undefined));
    if (below && above && below.x.length === curve.x.length && above.x.length === curve.x.length) {
      found.interval = { low: below.mean, high: above.mean };
    } else if (around && around.x.length === curve.x.length) {
      found.interval = {
        low: curve.mean.map((value, at) => value - (around.mean[at] ?? 0)),
        high: curve.mean.map((value, at) => value + (around.mean[at] ?? 0)),
      };
    }
    return [found];
  });
}
