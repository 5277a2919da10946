"""The network: a U-Net with additive skips. It is wide where the feature maps are small, so that most parameters are cheap.

Input [N, 4, S, S] in 0..1 (RGB and backdrop distance), S a multiple of 32; output [N, 1, S, S].
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

# The small network is the default on CPUs; the large one, for 512 x 512, is for GPUs and as a teacher.
# Metadata of an exported graph that holds the weights of the coarse outputs, which the graph itself has not.
HINTS = "hints"
SIZES = {"small": (24, 48, 96, 128, 160), "large": (40, 96, 192, 288, 368)}
# The backdrop distance is repeated with these gains, because white on white differs by one or two Lab units only.
BACKDROP_GAINS = (6.0, 24.0)
# Self-attention runs at a sixteenth of the side.
ATTENTION_STAGE, PLACES, HEAD_WIDTH = 3, 16, 32


def convolve(inputs: int, outputs: int, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, padding=dilation, dilation=dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    def __init__(self, width: int, dilation: int = 1):
        super().__init__()
        self.first = convolve(width, width, dilation)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x + self.second(self.first(x)))


class Context(nn.Module):
    """Adds the mean over the whole image to every position: global context."""

    def __init__(self, width: int):
        super().__init__()
        self.near, self.far = Residual(width, 2), Residual(width)
        self.whole = nn.Sequential(nn.Linear(width, width), nn.ReLU(inplace=True), nn.Linear(width, width))

    def forward(self, x: Tensor) -> Tensor:
        x = self.near(x)
        return self.far(x + self.whole(x.mean((2, 3)))[:, :, None, None])


class Attention(nn.Module):
    """Residual self-attention of all positions to the means of two by two of them; its output starts at zero."""

    def __init__(self, width: int):
        super().__init__()
        self.ask = nn.Sequential(nn.Conv2d(width, 3 * width, 1, bias=False), nn.BatchNorm2d(3 * width))
        self.give = nn.Conv2d(width, width, 1)
        self.place = nn.Parameter(torch.zeros(1, width, PLACES, PLACES))
        nn.init.zeros_(self.give.weight)
        nn.init.zeros_(self.give.bias)

    def forward(self, x: Tensor) -> Tensor:
        n, width, high, wide = x.shape
        place = self.place
        if (high, wide) != (PLACES, PLACES):
            place = F.interpolate(place, (high, wide), mode="bilinear", align_corners=False)
        query, *others = self.ask(x + place).chunk(3, 1)
        asked = [query, *(F.avg_pool2d(other, 2) for other in others)]
        query, key, value = (part.reshape(n, width // HEAD_WIDTH, HEAD_WIDTH, -1) for part in asked)
        alike = torch.softmax(query.transpose(2, 3) @ key * HEAD_WIDTH**-0.5, -1)
        return x + self.give((value @ alike.transpose(2, 3)).reshape(n, width, high, wide))


class MaskNetwork(nn.Module):
    def __init__(self, size: str = "small"):
        super().__init__()
        self.size, widths = size, SIZES[size]
        # Steps of two pixels with six by six weights: half the resolution at once, without a wide layer before it.
        first = nn.Conv2d(4 + len(BACKDROP_GAINS), widths[0], 6, stride=2, padding=2, bias=False)
        self.stem = nn.Sequential(first, nn.BatchNorm2d(widths[0]), nn.ReLU(inplace=True))
        self.down = nn.ModuleList([nn.Identity()])
        for before, width in zip(widths, widths[1:]):
            self.down.append(nn.Sequential(nn.MaxPool2d(2), convolve(before, width), Residual(width)))
        self.down[ATTENTION_STAGE].append(Attention(widths[ATTENTION_STAGE]))
        self.context = Context(widths[-1])
        self.narrow = nn.ModuleList()
        self.up = nn.ModuleList()
        for width, below in reversed(list(zip(widths, widths[1:]))):
            self.narrow.append(nn.Conv2d(below, width, 1))
            self.up.append(nn.Sequential(convolve(width, width), convolve(width, width)))
        self.head = nn.Conv2d(widths[0], 4, 3, padding=1)
        # Coarse outputs for training only (deep supervision): they speed up the training of the deep layers.
        self.hints = nn.ModuleList([nn.Conv2d(width, 1, 1) for width in (widths[3], widths[2])])

    def forward(self, x: Tensor) -> tuple[Tensor, list[Tensor]]:
        """Logits [N, 1, S, S], and coarse logits at 1/16 and 1/8 of the side."""
        faint = [(x[:, 3:] * gain).clamp(max=1) for gain in BACKDROP_GAINS]
        x = self.stem(torch.cat([x, *faint], 1) * 2 - 1)
        skips: list[Tensor] = []
        for stage in self.down:
            x = stage(x)
            skips.append(x)
        x = self.context(skips.pop())
        coarse: list[Tensor] = []
        for index, (narrow, up) in enumerate(zip(self.narrow, self.up)):
            x = up(F.interpolate(narrow(x), scale_factor=2.0, mode="bilinear", align_corners=False) + skips.pop())
            if index < len(self.hints):
                coarse.append(self.hints[index](x))
        return F.pixel_shuffle(self.head(x), 2), coarse


class Matte(nn.Module):
    """The exported module: input in 0..1 to matte in 0..1, both of single precision also where the network is of half."""

    def __init__(self, network: MaskNetwork):
        super().__init__()
        self.network = network

    def forward(self, input: Tensor) -> Tensor:
        return torch.sigmoid(self.network(input.to(self.network.head.weight.dtype))[0].float())
