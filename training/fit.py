"""The training itself: rows and word weights by contrast within a batch. Needs torch."""

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from codequarry.embedding.house import DIMENSIONS, WordBags
from training.batches import Schedule, batches, take
from training.quantise import Weights


def fit(
    queries: WordBags, documents: WordBags, words: tuple[str, ...], schedule: Schedule
) -> Weights:
    """Learn from pairs: ``queries`` and ``documents`` of equal length, neighbours side by side.

    The same arguments give the same bits on one kind of machine and version of torch.
    """
    torch.manual_seed(schedule.seed)
    torch.set_num_threads(schedule.threads)
    torch.use_deterministic_algorithms(True)
    model = _Model(len(words))
    optimiser = torch.optim.Adam(model.parameters(), lr=schedule.rate, fused=True)
    order = np.random.default_rng(schedule.seed)
    pairs = len(queries.offsets) - 1
    steps = schedule.epochs * (pairs // schedule.batch)
    annealed = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, max(steps, 1))
    for _ in range(schedule.epochs):
        for chosen in batches(pairs, schedule, order):
            asked = model(model.query, queries, chosen, schedule.dropout)
            answers = model(model.document, documents, chosen, schedule.dropout)
            similar = asked @ answers.T / schedule.temperature
            right = torch.arange(len(chosen))
            loss = functional.cross_entropy(similar, right)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            annealed.step()
            with torch.no_grad():
                model.query.clamp_(min=0)
                model.document.clamp_(min=0)
    rows, query, document = (parameter.detach().numpy() for parameter in model.parameters())
    return Weights(words, rows, query, document)


class _Model(torch.nn.Module):
    def __init__(self, words: int) -> None:
        super().__init__()
        self.rows = torch.nn.Parameter(torch.randn(words, DIMENSIONS) * 0.05)
        self.query = torch.nn.Parameter(torch.ones(words))
        self.document = torch.nn.Parameter(torch.ones(words))

    def forward(
        self,
        word_weights: torch.Tensor,
        bags: WordBags,
        chosen: npt.NDArray[np.int64],
        dropout: float,
    ) -> torch.Tensor:
        """Embed the chosen texts at unit length: float32 (texts, dimensions)."""
        part = take(bags, chosen)
        ids = torch.from_numpy(part.ids)
        amounts = torch.from_numpy(np.log1p(part.counts))
        kept = (torch.rand(len(ids)) >= dropout).float()
        sums = functional.embedding_bag(
            ids,
            self.rows,
            torch.from_numpy(part.offsets[:-1]),
            mode="sum",
            per_sample_weights=amounts * kept * word_weights[ids],
        )
        return functional.normalize(sums, dim=1)
