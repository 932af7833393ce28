/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A packed Credential from the wire.  Nothing can be signed with this key, as its secret half is
 * not stored, so every input must be refused; its body is also unpacked as if the signature had
 * been good. */
#include "lib/credential.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        static const uint8_t public_key[CREDENTIAL_KEY_SIZE] = { 0xd7, 0x5a, 0x98, 0x01, 0x82, 0xb1,
                0x0a, 0xb7, 0xd5, 0x4b, 0xfe, 0xd3, 0xc9, 0x64, 0x07, 0x3a, 0x0e, 0xe1, 0x72, 0xf3,
                0xda, 0xa6, 0x23, 0x25, 0xaf, 0x02, 0x1a, 0x68, 0xf7, 0x07, 0x51, 0x1a };
        _cleanup_(credential_body_freep) Slumber__CredentialBody *body = NULL;
        struct fail fail = { 0 };

        _cleanup_(credential_freep)
                        Slumber__Credential *c = slumber__credential__unpack(NULL, size, data);
        if (!c)
                return 0;
        int r = credential_verify(public_key, sizeof public_key, c, "n1", 1, &body, &fail);
        assert(r == -EKEYREJECTED);
        assert(!body);
        assert(fail.text[0]);

        _cleanup_(credential_body_freep)
                        Slumber__CredentialBody *inner = slumber__credential_body__unpack(NULL,
                                        c->body.len, c->body.data);
        return 0;
}
