import assert from "node:assert/strict";
import test from "node:test";
import keisei, { think, weights } from "./package.mjs";

const { Game, MateSolver, Network, Player } = keisei;

test("a network says how likely each move is", () => {
  const network = new Network("shogi", weights);
  const { policy, winRate } = network.evaluate(new Game("shogi"));
  assert.equal(policy.length, 30);
  const total = policy.reduce((sum, one) => sum + one.probability, 0);
  assert.ok(Math.abs(total - 1) < 1e-4, String(total));
  assert.ok(policy[0].probability > policy[29].probability);
  assert.ok(winRate > 0.3 && winRate < 0.7);
  assert.throws(() => network.evaluate(new Game("chess")), /shogi/);
  assert.throws(() => new Network("chess", weights), /chess|shogi/);
});

test("a search goes on step by step and answers when its limit is reached", () => {
  const player = Player.network(new Network("shogi", weights), { multiPv: 2, simulations: 200 });
  const game = new Game("shogi");
  const { kind, move, lines, steps } = think(player, game, { nodes: 100 });
  assert.equal(kind, "move");
  assert.deepEqual(lines.map((line) => line.rank), [1, 2]);
  assert.equal(lines[0].moves[0], move);
  assert.ok(steps > 1);
  game.play(move);
});

test("a search without an end is stopped", () => {
  const player = Player.network(new Network("shogi", weights));
  player.start(new Game("shogi"), { infinite: true });
  assert.equal(player.step(20).answer, null);
  player.stop();
  assert.equal(player.step(20).answer.kind, "move");
  assert.throws(() => player.step(20), /not asked/);
});

test("a network by its policy alone and classical players finish whole games of every kind", () => {
  const network = new Network("shogi", weights);
  const pairs = {
    shogi: [Player.network(network, { policyOnly: true, temperature: 1, seed: 5 }), Player.named("shogi", "random", 7)],
    chess: [Player.named("chess", "greedy", 1), Player.named("chess", "random", 2)],
    animal: [Player.named("animal", "ab:2", 3), Player.named("animal", "random", 4)],
  };
  for (const [name, players] of Object.entries(pairs)) {
    const game = new Game(name, null, { moveLimit: 200, autoClaim: true });
    while (!game.outcome()) {
      const { kind, move } = think(players[game.ply % 2], game, {});
      assert.equal(kind, "move");
      game.play(move);
    }
    assert.ok(game.ply > 2, `${name}: ${game.ply} moves`);
    assert.equal(game.record().size >= game.ply, true);
  }
});

test("unknown settings are refused", () => {
  const network = new Network("shogi", weights);
  assert.throws(() => Player.network(network, { multiPV: 2 }));
  assert.throws(() => Player.named("shogi", "usi:engine", 1), /operating system/);
});

test("mates are found in steps and moves of problems are judged", () => {
  const solver = new MateSolver();
  const mate = new Game("shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
  solver.start(mate);
  let progress;
  do progress = solver.step(5);
  while (!progress.done);
  assert.deepEqual([progress.verdict, progress.line, progress.shortest], ["mate", ["G*5b"], true]);
  solver.start(new Game("shogi"));
  do progress = solver.step(5);
  while (!progress.done);
  assert.equal(progress.verdict, "noMate");
  assert.equal(solver.judge(mate, "G*5b", 1).verdict, "mated");
  assert.equal(solver.judge(mate, "G*4a", 1).verdict, "refuted");
  assert.equal(solver.judge(mate, "5i5h", 1).verdict, "noCheck");
});
