/* The stream behind `crypto`: ChaCha20 (RFC 8439, section 2.3), keyed by the run's seed, nonce 0, 64-bit block counter. */

static struct {
    uint32_t key[8];
    uint64_t next_block;
    uint8_t block[64];
    size_t used; /* bytes of `block` that were handed out */
} chacha;

static uint32_t rotate_left(uint32_t word, int bits)
{
    return word << bits | word >> (32 - bits);
}

static void quarter_round(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d)
{
    *a += *b, *d = rotate_left(*d ^ *a, 16);
    *c += *d, *b = rotate_left(*b ^ *c, 12);
    *a += *b, *d = rotate_left(*d ^ *a, 8);
    *c += *d, *b = rotate_left(*b ^ *c, 7);
}

static void chacha_refill(void)
{
    uint32_t start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    memcpy(start + 4, chacha.key, sizeof chacha.key);
    start[12] = (uint32_t)chacha.next_block;
    start[13] = (uint32_t)(chacha.next_block >> 32);
    chacha.next_block++;

    uint32_t word[16];
    memcpy(word, start, sizeof word);
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 4; i++)
            quarter_round(&word[i], &word[4 + i], &word[8 + i], &word[12 + i]);
        for (int i = 0; i < 4; i++)
            quarter_round(&word[i], &word[4 + (i + 1) % 4], &word[8 + (i + 2) % 4], &word[12 + (i + 3) % 4]);
    }
    for (int i = 0; i < 16; i++) {
        uint32_t sum = word[i] + start[i];
        for (int byte = 0; byte < 4; byte++)
            chacha.block[4 * i + byte] = (uint8_t)(sum >> 8 * byte);
    }
    chacha.used = 0;
}

/* Starts the stream of a run. */
static void natives_seed(const uint8_t seed[32])
{
    for (int i = 0; i < 8; i++)
        chacha.key[i] = (uint32_t)seed[4 * i] | (uint32_t)seed[4 * i + 1] << 8 | (uint32_t)seed[4 * i + 2] << 16
            | (uint32_t)seed[4 * i + 3] << 24;
    chacha.next_block = 0;
    chacha.used = sizeof chacha.block;
}

static void chacha_bytes(uint8_t *to, size_t length)
{
    while (length) {
        if (chacha.used == sizeof chacha.block)
            chacha_refill();
        size_t part = sizeof chacha.block - chacha.used;
        if (part > length)
            part = length;
        memcpy(to, chacha.block + chacha.used, part);
        chacha.used += part;
        to += part;
        length -= part;
    }
}
