def run():
    text = "naïve café – déjà vu, Ω≈ç√∫ and 日本語テキスト " * 400
    total = 0
    for i in range(len(text)):
        total += ord(text[i])
    for i in range(0, len(text) - 20, 40):
        total += len(text[i:i + 20].strip())
    return total, text[-7], text[5000:5010]


run()
