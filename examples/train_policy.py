"""Train a policy and a value network by self-play with PyTorch, and let Astragal search with the value network.

    pip install "astragal[gymnasium]" torch
    python examples/train_policy.py --minutes 5 --out mine.npz
    astragal match ewn star:evaluation=mine.npz star --time 0.05

The algorithm is PPO (Schulman et al. 2017) with the players taking turns: the value of a position is that for its
mover, so it changes sign with the mover. The value network sees the inputs of `inputs_of`, which ignore the roll; the
policy sees the legal moves as well.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import torch
from torch import nn

import astragal
from astragal.adapters.vector import vector_env
from astragal.learn import inputs_of, save_model
from astragal.rules.steps import numbered_actions

GAME, GAMES, STEPS = "ewn", 512, 16  # games side by side, and steps of each between two updates
LAMBDA, CLIP, EPOCHS, PARTS, ENTROPY = 0.9, 0.2, 2, 4, 0.01


class Networks(nn.Module):
    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.policy = nn.Sequential(nn.Linear(inputs + actions, 128), nn.ReLU(), nn.Linear(128, actions))
        self.value = nn.Sequential(
            *(nn.Linear(inputs, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 1), nn.Tanh())
        )

    def moves(self, seen, mask):
        """The distribution of moves."""
        logits = self.policy(torch.cat([seen, mask], dim=1))
        return torch.distributions.Categorical(logits=logits.masked_fill(mask == 0, -1e9))


def train(minutes: float, seed: int) -> Networks:
    torch.manual_seed(seed)
    env = vector_env(GAME, GAMES)
    seen, info = env.reset(seed=seed)
    networks = Networks(seen.shape[1], env.single_action_space.n)
    optimizer = torch.optim.Adam(networks.parameters(), lr=1e-3)
    best = env.rules.utility_range[1]
    started, played, updates, ended = time.monotonic(), 0, 0, np.zeros(GAMES, bool)
    while (left := minutes - (time.monotonic() - started) / 60) > 0:
        optimizer.param_groups[0]["lr"] = 1e-3 * max(0.1, left / minutes)
        rows = []
        for _ in range(STEPS):
            x, mask = torch.from_numpy(seen).float(), torch.from_numpy(info["action_mask"]).float()
            with torch.no_grad():
                moves = networks.moves(x, mask)
                action, value = moves.sample(), networks.value(x)[:, 0]
            mover, fresh = info["player"], ended
            seen, reward, ended, _, info = env.step(action.numpy())
            same = torch.from_numpy(np.where(info["player"] == mover, 1.0, -1.0)).float()
            over = torch.from_numpy(ended)
            reward = torch.from_numpy(reward / best).float()
            rows.append((x, mask, action, moves.log_prob(action), value, reward, over, same, torch.from_numpy(~fresh)))
            played += int(ended.sum())
        with torch.no_grad():
            after = networks.value(torch.from_numpy(seen).float())[:, 0]
        learn(networks, optimizer, rows, after)
        updates += 1
        if updates % 50 == 0:
            print(f"{(time.monotonic() - started) / 60:5.1f} min, {played:,} games", flush=True)
    print(f"{played:,} games, {updates * STEPS * GAMES:,} steps")
    return networks


def learn(networks, optimizer, rows, after) -> None:
    """A PPO update from the steps of all games."""
    gain, gains = torch.zeros_like(after), []
    for _, _, _, _, value, reward, over, same, _ in reversed(rows):
        going = (~over).float() * same
        gain = reward + going * after - value + LAMBDA * going * gain
        gains.append(gain)
        after = value
    x, mask, action, old, value, _, _, _, real = (torch.cat(each) for each in zip(*rows, strict=True))
    gain = torch.cat(gains[::-1])
    chosen = torch.nonzero(real)[:, 0]  # without the steps that only began a new game
    for _ in range(EPOCHS):
        for part in chosen[torch.randperm(len(chosen))].chunk(PARTS):
            moves = networks.moves(x[part], mask[part])
            ratio = (moves.log_prob(action[part]) - old[part]).exp()
            advantage = (gain[part] - gain[part].mean()) / (gain[part].std() + 1e-6)
            wanted = torch.min(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage)
            error = networks.value(x[part])[:, 0] - (value + gain)[part]
            loss = -wanted.mean() + 0.5 * error.square().mean() - ENTROPY * moves.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def score(networks: Networks, opponent: str, games: int) -> float:
    """The share of games that the policy wins when it plays the most probable moves."""
    inputs, dice = inputs_of(GAME), astragal.Dice(1)
    size, won = networks.policy[-1].out_features, 0
    going = [(astragal.start(GAME, number // 2).settled(dice), number % 2) for number in range(games)]
    while going:
        mine = [(each, seat) for each, seat in going if each.turn == seat]
        theirs = [(each, seat) for each, seat in going if each.turn != seat]
        moved = []
        if mine:
            legal = [numbered_actions(each) for each, _ in mine]
            mask = torch.zeros(len(mine), size)
            for row, numbers in zip(mask, legal, strict=True):
                row[list(numbers)] = 1
            with torch.no_grad():
                seen = torch.from_numpy(inputs.vectors([each for each, _ in mine]))
                best = networks.moves(seen, mask).probs.argmax(dim=1).tolist()
            actions = [numbers[number] for numbers, number in zip(legal, best, strict=True)]
            moved += [(each.play(action), seat) for (each, seat), action in zip(mine, actions, strict=True)]
        found = astragal.search_many([each for each, _ in theirs], opponent)
        moved += [(each.play(result.action), seat) for (each, seat), result in zip(theirs, found, strict=True)]
        going = []
        for each, seat in moved:
            after = each.settled(dice)
            if after.is_terminal:
                won += after.utilities()[seat] > 0
            else:
                going.append((after, seat))
    return won / games


def layers_of(value: nn.Sequential) -> list:
    """The layers as `save_model` takes them."""
    words = {nn.ReLU: "relu", nn.Tanh: "tanh"}
    pairs = zip(value[::2], value[1::2], strict=True)
    return [
        (linear.weight.detach().numpy(), linear.bias.detach().numpy(), words[type(passed)]) for linear, passed in pairs
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--games", type=int, default=400, help="games of the policy against greedy")
    parser.add_argument("--out", default="mine.npz")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    networks = train(options.minutes, options.seed)
    print(f"the policy against greedy: {score(networks, 'greedy', options.games):.1%} of {options.games} games")
    samples = [astragal.start(GAME, number).settled(number) for number in range(20)]
    with torch.no_grad():
        outputs = networks.value(torch.from_numpy(inputs_of(GAME).vectors(samples)))[:, 0].numpy()
    save_model(options.out, GAME, layers_of(networks.value), samples=samples, outputs=outputs)
    players = [f"star:evaluation={options.out},depth=1", "star:depth=1"]
    print(astragal.match(GAME, players, games=options.games))


if __name__ == "__main__":
    main()
