"""Tokenizers of the kinds of Qwen2 and CLIP, trained here on a few words: no vocabulary of others is in the repository."""
import json
import random

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

qwen_pattern = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
                r"|\s+(?!\S)|\s+")
clip_pattern = (r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+")
words = """a the on in of and with at by marble oak table kitchen window morning light soft warm shadow linen product photo
beach sand sea palm forest moss stone concrete studio pastel pink gradient golden hour snow pine cabin wooden shelf books
don't it's we'll they're I'm you've he'd THE Studio Café naïve façade crème brûlée Ångström coöperate Ça où
ein Tisch aus Eiche vor einer Wand im Abendlicht Küche Größe weiß Straße una mesa de mármol con luz suave año niño ¿qué? ¡sí!
стол из дуба утренний свет ель снег τραπέζι φως μάρμαρο 大理石 桌子 早晨 的 光 木の テーブル 柔らかい 光 カフェ 나무 탁자 아침 햇살
طاولة من الرخام ضوء الصباح שולחן עץ אור בוקר मेज पर रोशनी संगमरमर โต๊ะ ไม้ แสง bàn gỗ ánh sáng buổi sáng ქვა მაგიდა""".split()
odd = ["🌿", "👩‍🍳", "🏳️‍🌈", "❄️", "👍🏽", "e\u0301", "n\u0303o", "ﬁne", "Å", "Ａ１", "½", "٣", "①", "12345", "3.5", "50%", "#ff0088", "f/2.8", "--ar", "16:9",
       "\t", "\n", "\r\n", "  ", "   ", "\u00a0", "\u200b", "\u2028", "“quoted”", "—", "…", "<b>", "&amp;", "<|im_end|>", "<|endoftext|>", "</w>", "_", "''", "'S", "İ",
       "ß", "ǅ", "𝔘𝔫𝔦", "𠮷", "\U0001f9ff", "!!!", "?!", "(x)", "a/b", "C++", "{}", "\\n", "\x7f", "\x85", "\u180e", "\u3000"]


def prompts(count=1000):
    draw = random.Random(47)
    made = ["", " ", "a", "\n\n", "'s"]
    while len(made) < count:
        parts = [draw.choice(words) if draw.random() < 0.8 else draw.choice(odd) for _ in range(draw.randint(1, 16))]
        made.append("".join(part + draw.choice(["", " ", " ", " ", ", "]) for part in parts))
    return made


def qwen():
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(qwen_pattern), "isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=420, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False)
    tokenizer.train_from_iterator([" ".join(words)], trainer)
    tokenizer.add_special_tokens([AddedToken(each, normalized=False, special=True)
                                  for each in ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]])
    tokenizer.add_tokens([AddedToken(each, normalized=False, special=False) for each in ["<think>", "</think>"]])
    return tokenizer


def clip():
    tokenizer = Tokenizer(models.BPE(unk_token="<|endoftext|>", end_of_word_suffix="</w>"))
    tokenizer.normalizer = normalizers.Sequence([
        normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(clip_pattern), "removed", invert=True),
        pre_tokenizers.ByteLevel(add_prefix_space=False)])
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(vocab_size=700, initial_alphabet=alphabet, end_of_word_suffix="</w>", show_progress=False,
                                  special_tokens=[])
    tokenizer.train_from_iterator([" ".join([*words, *(each for each in alphabet)])], trainer)
    made = json.loads(tokenizer.to_str())
    vocabulary = made["model"]["vocab"]
    # CLIP's vocabulary has each byte at the end of a word, too.
    for each in alphabet:
        vocabulary.setdefault(f"{each}</w>", len(vocabulary))
    tokenizer = Tokenizer.from_str(json.dumps(made))
    tokenizer.add_special_tokens([AddedToken(each, normalized=True, special=True)
                                  for each in ["<|startoftext|>", "<|endoftext|>"]])
    begin, end = (tokenizer.token_to_id(each) for each in ["<|startoftext|>", "<|endoftext|>"])
    tokenizer.post_processor = processors.RobertaProcessing(("<|endoftext|>", end), ("<|startoftext|>", begin),
                                                            trim_offsets=False, add_prefix_space=False)
    return tokenizer
