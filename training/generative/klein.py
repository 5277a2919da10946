"""A tiny Flux2Klein of random weights: its graphs, and the pictures that diffusers makes with it."""
import torch
from diffusers import AutoencoderKLFlux2, FlowMatchEulerDiscreteScheduler, Flux2Transformer2DModel
from diffusers import Flux2KleinInpaintPipeline, Flux2KleinPipeline
from diffusers.pipelines.flux2 import pipeline_flux2_klein_inpaint as inpaint
from PIL import Image
from transformers import Qwen2TokenizerFast, Qwen3Config, Qwen3ForCausalLM

from export import bytes_of, floats, numbers, picture, save, seeded, shades
from samplers import klein as scheduler_config
from tokenizers_of_ours import qwen

side = 64
tokens_max = 64
layers = (1, 2, 3)
channels = 16
style_size = (32, 48)
template = ("{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}"
            "{% endfor %}{{ '<|im_start|>assistant\\n<think>\\n\\n</think>\\n\\n' }}")


class Text(torch.nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder

    def forward(self, input_ids, attention_mask):
        # Tracing loses the mask and the states of layers that transformers collects, so both are written out.
        model, count = self.encoder.model, input_ids.shape[1]
        seen = torch.ones(count, count, dtype=torch.bool).tril() & (attention_mask[:, None, None, :] > 0)
        mask = torch.where(seen, 0.0, torch.finfo(torch.float32).min)
        positions = torch.arange(count)[None]
        states = [model.embed_tokens(input_ids)]
        turns = model.rotary_emb(states[0], positions)
        for layer in model.layers:
            states.append(layer(states[-1], attention_mask=mask, position_ids=positions, position_embeddings=turns))
        states[-1] = model.norm(states[-1])
        out = torch.stack([states[layer] for layer in layers], dim=1)
        return out.permute(0, 2, 1, 3).reshape(out.shape[0], out.shape[2], -1)


class Denoiser(torch.nn.Module):
    def __init__(self, transformer):
        super().__init__()
        self.transformer = transformer

    def forward(self, hidden_states, timestep, encoder_hidden_states, txt_ids, img_ids):
        return self.transformer(hidden_states=hidden_states, timestep=timestep, guidance=None,
                                encoder_hidden_states=encoder_hidden_states, txt_ids=txt_ids, img_ids=img_ids,
                                return_dict=False)[0]


class Encoder(torch.nn.Module):
    def __init__(self, vae):
        super().__init__()
        self.vae = vae

    def forward(self, pixels):
        return self.vae.encode(pixels).latent_dist.mode()


class Decoder(torch.nn.Module):
    def __init__(self, vae):
        super().__init__()
        self.vae = vae

    def forward(self, latents):
        return self.vae.decode(latents, return_dict=False)[0]


def build():
    tokenizer = qwen()
    fast = Qwen2TokenizerFast(tokenizer_object=tokenizer, pad_token="<|endoftext|>", eos_token="<|im_end|>",
                              chat_template=template)
    text = Qwen3ForCausalLM(Qwen3Config(
        hidden_size=16, intermediate_size=16, num_hidden_layers=3, num_attention_heads=2, num_key_value_heads=1, head_dim=8,
        vocab_size=tokenizer.get_vocab_size(), max_position_embeddings=512, attn_implementation="eager"))
    transformer = Flux2Transformer2DModel(
        patch_size=1, in_channels=channels, num_layers=1, num_single_layers=1, attention_head_dim=16, num_attention_heads=2,
        joint_attention_dim=48, timestep_guidance_channels=16, axes_dims_rope=[4, 4, 4, 4], guidance_embeds=False)
    vae = AutoencoderKLFlux2(
        sample_size=side, in_channels=3, out_channels=3, down_block_types=("DownEncoderBlock2D",) * 2,
        up_block_types=("UpDecoderBlock2D",) * 2, block_out_channels=(4, 4), layers_per_block=1, latent_channels=4,
        norm_num_groups=1, use_quant_conv=False, use_post_quant_conv=False)
    parts = dict(text_encoder=text, transformer=transformer, vae=vae)
    for part in parts.values():
        seeded(part)
    draw = torch.Generator().manual_seed(5)
    vae.bn.running_mean.copy_(torch.randn(channels, generator=draw) * 0.2)
    vae.bn.running_var.copy_(torch.rand(channels, generator=draw) + 0.5)
    scheduler = FlowMatchEulerDiscreteScheduler(**scheduler_config)
    return tokenizer, dict(**parts, tokenizer=fast, scheduler=scheduler)


def klein_references(folder):
    tokenizer, parts = build()
    vae, grid = parts["vae"], side // 4
    ids = torch.ones(1, tokens_max, dtype=torch.int64)
    count = torch.export.Dim("tokens", min=2, max=4096)
    save(Text(parts["text_encoder"]), folder / "text_encoder", [ids, ids.clone()], ["input_ids", "attention_mask"], "prompt_embeds")
    save(Denoiser(parts["transformer"]), folder / "transformer",
         [torch.randn(1, grid * grid, channels), torch.tensor([0.5]), torch.randn(1, tokens_max, 48),
          torch.zeros(1, tokens_max, 4), torch.zeros(1, grid * grid, 4)],
         ["hidden_states", "timestep", "encoder_hidden_states", "txt_ids", "img_ids"], "velocity",
         [{1: count}, None, None, None, {1: count}])
    rows, columns = (torch.export.Dim(name, min=4, max=64) for name in ("rows", "columns"))
    save(Encoder(vae), folder / "vae_encoder", [torch.randn(1, 3, side, side)], ["pixels"], "latents",
         [{2: 4 * rows, 3: 4 * columns}])
    save(Decoder(vae), folder / "vae_decoder", [torch.randn(1, 4, side // 2, side // 2)], ["latents"], "pixels")
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)

    draw = torch.Generator().manual_seed(6)
    noise = torch.randn(1, channels, grid, grid, generator=draw)
    inpaint.randn_tensor = lambda *_, **__: noise
    photo = picture(draw, side)
    fill = torch.zeros(side, side)
    fill[:, side // 2:] = 1
    fill[: side // 4] = 1
    prompt = "A café table of oak, soft light; стол 大理石 🌿"
    shared = dict(prompt=prompt, height=side, width=side, num_inference_steps=4, max_sequence_length=tokens_max,
                  text_encoder_out_layers=layers, output_type="pt", return_dict=False)
    plain = Flux2KleinPipeline(**parts, is_distilled=True)
    masked = Flux2KleinInpaintPipeline(**parts, is_distilled=True)
    plain.set_progress_bar_config(disable=True)
    masked.set_progress_bar_config(disable=True)
    image = Image.fromarray(photo.numpy())
    mask = Image.fromarray((fill * 255).byte().numpy())
    made = {
        "text": plain(**shared, latents=noise)[0],
        "reference": plain(**shared, image=image, latents=noise)[0],
        "fill": masked(**shared, image=image, mask_image=mask, strength=1.0)[0],
        "weakFill": masked(**shared, image=image, mask_image=mask, strength=0.6)[0],
    }
    style = (torch.rand(*style_size, 3, generator=torch.Generator().manual_seed(7)) * 255).byte()
    made["styledFill"] = masked(**shared, image=image, mask_image=mask, image_reference=Image.fromarray(style.numpy()),
                                strength=1.0)[0]
    variance = vae.bn.running_var + vae.config.batch_norm_eps
    return {
        "prompt": prompt, "side": side, "noise": floats(noise), "photo": bytes_of(photo),
        "fill": bytes_of(fill * 255), "style": {"height": style_size[0], "width": style_size[1], "rgb": bytes_of(style)},
        "pipeline": {"scheduler": {"_class_name": "FlowMatchEulerDiscreteScheduler", **scheduler_config},
                     "textTokensMax": tokens_max, "patchPixels": 4, "channels": channels,
                     "mean": numbers(vae.bn.running_mean), "deviation": numbers(torch.sqrt(variance))},
        "pictures": {name: shades(each) for name, each in made.items()},
    }
