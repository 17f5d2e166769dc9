"""Measures random games with Pgx on the processor, one process, one thread where JAX obeys.

Usage: python pgx_env.py GAMES SECONDS

Prints a name and plies/s for shogi and chess. A step of Pgx always makes its mask and its planes,
so there is no rate without planes. Processor time of all threads; the best of many turns counts.
"""

import os
import sys
import time

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

STEPS_A_TURN = 4


def main(games, seconds):
    try:
        import jax
        import jax.numpy as jnp
        import pgx
        from pgx.experimental import auto_reset
    except ImportError:
        return
    for game in ["shogi", "chess"]:
        env = pgx.make(game)
        init = jax.jit(jax.vmap(env.init))
        step = jax.vmap(auto_reset(env.step, env.init))

        @jax.jit
        def turn(state, key):
            def play(_, carry):
                state, key = carry
                key, choice, reset = jax.random.split(key, 3)
                logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
                actions = jax.random.categorical(choice, logits, axis=-1)
                return step(state, actions, jax.random.split(reset, games)), key

            return jax.lax.fori_loop(0, STEPS_A_TURN, play, (state, key))

        key = jax.random.PRNGKey(0)
        state = init(jax.random.split(key, games))
        state, key = jax.block_until_ready(turn(state, key))
        best = 0.0
        start = time.monotonic()
        while best == 0.0 or time.monotonic() - start < seconds:
            before = time.process_time()
            state, key = jax.block_until_ready(turn(state, key))
            best = max(best, STEPS_A_TURN * games / (time.process_time() - before))
        print(f"pgx {pgx.__version__} {game} (CPU)", "-", best, sep="\t")


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
