// The words of bars and graphs.
import { dictionary } from '$lib/i18n';

export const text = dictionary(
  {
    bar: (percent: string) => `Chance of the first side: ${percent}`,
    graph: 'Chances over the game',
    analysed: 'Analysis',
    network: 'The network alone',
    noGraph: 'Analyse the game to see how its chances went.',
  },
  {
    bar: (percent) => `先手の勝率 ${percent}`,
    graph: '勝率の推移',
    analysed: '解析',
    network: 'ネットワークの直感',
    noGraph: '棋譜を解析すると勝率の推移が表示されます。',
  },
);
