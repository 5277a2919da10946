"""Tiny SDXL and SD 1.5 inpainting of random weights: their graphs, and the pictures that diffusers makes with them."""
import torch
from diffusers import AutoencoderKL, EulerDiscreteScheduler, LCMScheduler, UNet2DConditionModel
from diffusers import StableDiffusionInpaintPipeline, StableDiffusionXLInpaintPipeline, StableDiffusionXLPipeline
from diffusers.models.autoencoders.vae import DiagonalGaussianDistribution
from diffusers.pipelines.stable_diffusion import pipeline_stable_diffusion_inpaint as inpaint
from diffusers.pipelines.stable_diffusion_xl import pipeline_stable_diffusion_xl_inpaint as inpaint_xl
from diffusers.schedulers import scheduling_lcm
from PIL import Image
from tokenizers import Tokenizer
from transformers import CLIPTextConfig, CLIPTextModel, CLIPTextModelWithProjection, CLIPTokenizerFast

from export import bytes_of, floats, picture, save, seeded, shades
from klein import Decoder, Encoder
from samplers import stable

side = 64
tokens_max = 77
grid = side // 2
euler = {**stable, "timestep_spacing": "trailing"}
prompt = "A café table of oak, soft light; " + "a marble shelf " * 24


class Text(torch.nn.Module):
    """A row for each token; for SDXL those of both encoders side by side, and below them a row that begins with the pooled values."""
    def __init__(self, encoder, second=None):
        super().__init__()
        self.encoder, self.second = encoder, second

    def forward(self, input_ids, input_ids_2=None):
        if self.second is None:
            return self.encoder(input_ids)[0]
        first = self.encoder(input_ids, output_hidden_states=True).hidden_states[-2]
        second = self.second(input_ids_2, output_hidden_states=True)
        rows = torch.cat([first, second.hidden_states[-2]], dim=-1)
        pooled = second.text_embeds[:, None, :]
        filled = torch.nn.functional.pad(pooled, (0, rows.shape[-1] - pooled.shape[-1]))
        return torch.cat([rows, filled], dim=1)


class Unet(torch.nn.Module):
    def __init__(self, unet):
        super().__init__()
        self.unet = unet

    def forward(self, sample, timestep, encoder_hidden_states, text_embeds=None, time_ids=None):
        added = None if text_embeds is None else {"text_embeds": text_embeds, "time_ids": time_ids}
        return self.unet(sample, timestep, encoder_hidden_states, added_cond_kwargs=added, return_dict=False)[0]


def tokenizer_of(folder, padding):
    # Training gives other ids each time: this is the one that is written.
    tokenizer = Tokenizer.from_file(str(folder.parent / "clip-tokenizer.json"))
    return CLIPTokenizerFast(tokenizer_object=tokenizer, bos_token="<|startoftext|>", eos_token="<|endoftext|>",
                             pad_token=padding, unk_token="<|endoftext|>", model_max_length=tokens_max)


def text_config(tokenizer, **more):
    end = tokenizer.convert_tokens_to_ids("<|endoftext|>")
    return CLIPTextConfig(vocab_size=len(tokenizer), hidden_size=16, intermediate_size=16, num_hidden_layers=2,
                          num_attention_heads=2, max_position_embeddings=tokens_max, eos_token_id=end, bos_token_id=end - 1,
                          attn_implementation="eager", **more)


def vae_of():
    return AutoencoderKL(sample_size=side, block_out_channels=(4, 4), down_block_types=("DownEncoderBlock2D",) * 2,
                         up_block_types=("UpDecoderBlock2D",) * 2, layers_per_block=1, latent_channels=4, norm_num_groups=1,
                         scaling_factor=0.5)


def unet_of(channels, width, **more):
    return UNet2DConditionModel(
        sample_size=grid, in_channels=channels, out_channels=4, block_out_channels=(8, 8), layers_per_block=1, norm_num_groups=2,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"), up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
        cross_attention_dim=width, attention_head_dim=2, **more)


def export(folder, text, unet, vae, channels, width, pooled):
    ids = torch.ones(1, tokens_max, dtype=torch.int64)
    names = ["input_ids", "input_ids_2"] if pooled else ["input_ids"]
    save(text, folder / "text_encoder", [ids.clone() for _ in names], names, "prompt_embeds")
    count = torch.export.Dim("pictures", min=1, max=16)
    inputs = dict(sample=torch.randn(2, channels, grid, grid), timestep=torch.tensor([0.5, 0.7]),
                  encoder_hidden_states=torch.randn(2, tokens_max, width))
    if pooled:
        inputs |= dict(text_embeds=torch.randn(2, pooled), time_ids=torch.zeros(2, 6))
    save(Unet(unet), folder / "unet", list(inputs.values()), list(inputs), "out_sample", [{0: count}] * len(inputs))
    save(Encoder(vae), folder / "vae_encoder", [torch.randn(1, 3, side, side)], ["pixels"], "latents")
    save(Decoder(vae), folder / "vae_decoder", [torch.randn(1, 4, grid, grid)], ["latents"], "pixels")


def drawn():
    draw = torch.Generator().manual_seed(6)
    noise = torch.randn(1, 4, grid, grid, generator=draw)
    # Given latents would be taken for noise alone, whatever the strength.
    for each in [scheduling_lcm, inpaint, inpaint_xl]:
        each.randn_tensor = lambda *_, **__: noise
    DiagonalGaussianDistribution.sample = lambda self, generator=None: self.mode()
    photo = picture(draw, side)
    fill = torch.zeros(side, side)
    fill[:, side // 2 + 1:] = 1
    fill[: side // 4] = 1
    return noise, photo, fill


def described(noise, photo, fill, pipeline, made):
    return {"prompt": prompt, "side": side, "noise": floats(noise), "photo": bytes_of(photo), "fill": bytes_of(fill * 255),
            "pipeline": pipeline, "pictures": {name: shades(each) for name, each in made.items()}}


def shared_of():
    return dict(prompt=prompt, height=side, width=side, output_type="pt", return_dict=False)


def quiet(pipeline):
    pipeline.set_progress_bar_config(disable=True)
    return pipeline


def sdxl_references(folder):
    first, second = tokenizer_of(folder, "<|endoftext|>"), tokenizer_of(folder, "!")
    one = seeded(CLIPTextModel(text_config(first)), 1)
    two = seeded(CLIPTextModelWithProjection(text_config(second, projection_dim=8)), 2)
    unet = seeded(unet_of(4, 32, addition_embed_type="text_time", addition_time_embed_dim=4, transformer_layers_per_block=(1, 1),
                          projection_class_embeddings_input_dim=6 * 4 + 8, use_linear_projection=True), 3)
    vae = seeded(vae_of(), 4)
    export(folder, Text(one, two), unet, vae, 4, 32, 8)
    noise, photo, fill = drawn()
    parts = dict(text_encoder=one, text_encoder_2=two, tokenizer=first, tokenizer_2=second, unet=unet, vae=vae,
                 scheduler=EulerDiscreteScheduler(**euler), force_zeros_for_empty_prompt=True, add_watermarker=False)
    shared = {**shared_of(), "num_inference_steps": 4, "guidance_scale": 1.0}
    images = dict(image=Image.fromarray(photo.numpy()), mask_image=Image.fromarray((fill * 255).byte().numpy()))
    masked = quiet(StableDiffusionXLInpaintPipeline(**parts))
    made = {"text": quiet(StableDiffusionXLPipeline(**parts))(**shared, latents=noise)[0],
            "fill": masked(**shared, **images, strength=1.0)[0],
            "weakFill": masked(**shared, **images, strength=0.6)[0]}
    return described(noise, photo, fill, {
        "scheduler": {"_class_name": "EulerDiscreteScheduler", **euler}, "textTokensMax": tokens_max, "patchPixels": 4,
        "channels": 4, "latentPixels": 2, "unetChannels": 4, "scale": 0.5, "guidance": 1, "pooledValues": 8,
        "secondPadding": "!"}, made)


def inpainting_references(folder):
    tokenizer = tokenizer_of(folder, "<|endoftext|>")
    text = seeded(CLIPTextModel(text_config(tokenizer)), 1)
    unet = seeded(unet_of(9, 16), 3)
    vae = seeded(vae_of(), 4)
    export(folder, Text(text), unet, vae, 9, 16, 0)
    noise, photo, fill = drawn()
    images = dict(image=Image.fromarray(photo.numpy()), mask_image=Image.fromarray((fill * 255).byte().numpy()))
    parts = dict(text_encoder=text, tokenizer=tokenizer, unet=unet, vae=vae, safety_checker=None, feature_extractor=None,
                 requires_safety_checker=False)
    paint = lambda scheduler, steps, guidance, strength=1.0: quiet(
        StableDiffusionInpaintPipeline(**parts, scheduler=scheduler))(
            **shared_of(), **images, num_inference_steps=steps, guidance_scale=guidance, strength=strength)[0]
    made = {"lcm": paint(LCMScheduler(**stable), 4, 1.0), "weakLcm": paint(LCMScheduler(**stable), 4, 1.0, 0.6),
            "guided": paint(EulerDiscreteScheduler(**euler), 6, 3.0)}
    return described(noise, photo, fill, {
        "scheduler": {"_class_name": "LCMScheduler", **stable}, "textTokensMax": tokens_max, "patchPixels": 4,
        "channels": 4, "latentPixels": 2, "unetChannels": 9, "scale": 0.5, "guidance": 1, "pooledValues": 0}, made)
