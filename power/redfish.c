/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Redfish by libcurl: one easy handle per BMC, so that the TLS connection, slow to establish, is
 * opened once.
 *
 * Uses a session (POST to Sessions, a token in each request, DELETE at the end) or basic
 * authentication. Finds the system once; each reading is one GET. Reads the allowed values of
 * ResetType before the first command, from the system or its ActionInfo, and sends only those.
 * Ignores the answer to a command and any task in it: the state is read back.
 *
 * A BMC has few sessions, which last for half an hour: every exit path deletes the session.
 * Redirections and proxies of the environment are not used: passwords go to the BMC only. */
#include <curl/curl.h>
#include <json-c/json.h>
#include <stdarg.h>

#include "power/name.h"
#include "power/power.h"
#include "power/redfish_json.h"

#include "lib/timetext.h"

#define BODY_MAX      (256u << 10) /* bytes; the largest systems have some 20 KB */
#define HEADERS_MAX   (32u << 10)
#define TOKEN_MAX     1024
#define CLOSE_TIMEOUT (2 * USEC_PER_SEC)
#define RETRY_MAX     (300 * USEC_PER_SEC) /* maximum accepted Retry-After */

struct session {
        CURL *curl;
        const struct power_bmc *bmc;
        usec_t until;
        struct curl_slist *headers;
        char location[REDFISH_PATH_MAX + 1]; /* path of the session; "" */
        char path[REDFISH_PATH_MAX + 1];     /* path of the system */
        struct redfish_system system;
        bool have_system;
        char watts[REDFISH_PATH_MAX + 1];
};
struct answer {
        char *body;
        size_t size, headers;
        bool too_large;
        long status;
        char *token, *location;
        usec_t retry_after;
};

static void answer_done(struct answer *a) {
        free(a->body);
        free(a->token);
        free(a->location);
}

/* ---- one request ---- */

static size_t on_body(char *data, size_t one, size_t n, void *userdata) {
        struct answer *a = userdata;

        if (n > BODY_MAX - a->size) {
                a->too_large = true;
                return 0;
        }
        a->body = xrenew(a->body, a->size + n + 1);
        memcpy(a->body + a->size, data, n);
        a->size += n;
        return n;
}

/* Returns the value of header name without surrounding blanks; NULL: another header. The caller
   frees. */
static char *header_value(const char *line, size_t n, const char *name) {
        size_t length = strlen(name);

        if (n <= length || line[length] != ':' || strncasecmp(line, name, length) != 0)
                return NULL;
        for (line += length + 1, n -= length + 1; n && (*line == ' ' || *line == '\t'); line++)
                n--;
        while (n && (line[n - 1] == '\r' || line[n - 1] == '\n' || line[n - 1] == ' '))
                n--;
        return xstrndup(line, n);
}

static size_t on_header(char *data, size_t one, size_t n, void *userdata) {
        struct answer *a = userdata;
        _cleanup_free_ char *after = NULL;
        char *value;
        uint64_t seconds;

        a->headers += n;
        if (a->headers > HEADERS_MAX) {
                a->too_large = true;
                return 0;
        }
        if ((value = header_value(data, n, "X-Auth-Token"))) {
                free(a->token);
                a->token = value;
        } else if ((value = header_value(data, n, "Location"))) {
                free(a->location);
                a->location = value;
        } else if ((after = header_value(data, n, "Retry-After")) &&
                        uint_parse(after, 0, RETRY_MAX / USEC_PER_SEC, &seconds) >= 0)
                a->retry_after = seconds * USEC_PER_SEC;
        return n;
}

static _printf_(4, 5) int redfish_fault(struct power_cause *cause, enum power_fault kind,
                const struct power_bmc *bmc, const char *format, ...) {
        char text[400];
        va_list ap;

        va_start(ap, format);
        vsnprintf(text, sizeof text, format, ap);
        va_end(ap);
        cause->fault = kind;
        return fail_set(&cause->fail, -EIO, "BMC %s %s", bmc->address, text);
}

/* Handles a failed transfer. */
static int redfish_failed(const struct power_bmc *bmc, CURLcode code, const struct answer *a,
                const char *error, struct power_cause *cause) {
        const char *why = *error ? error : curl_easy_strerror(code);

        if (a->too_large)
                return redfish_fault(cause, POWER_FAULT_REFUSED, bmc,
                                "answers with more than %u bytes, too many for Redfish", BODY_MAX);
        switch ((int)code) {
        case CURLE_COULDNT_RESOLVE_HOST:
                return redfish_fault(cause,
                                power_name_fault(power_name_look_up(bmc->address, SOCK_STREAM,
                                                NULL)),
                                bmc, "has an address that cannot be resolved");
        case CURLE_COULDNT_CONNECT:
        case CURLE_OPERATION_TIMEDOUT:
                return redfish_fault(cause, POWER_FAULT_SILENT, bmc, "does not answer");
        case CURLE_PEER_FAILED_VERIFICATION:
                return redfish_fault(cause, POWER_FAULT_SHARED, bmc,
                                "has a certificate that is not trusted (%s); see ca_file and "
                                "tls_verify",
                                why);
        case CURLE_SSL_CACERT_BADFILE:
                return redfish_fault(cause, POWER_FAULT_SHARED, bmc,
                                "cannot be verified: ca_file: %s", why);
        default:
                return redfish_fault(cause, POWER_FAULT_BUSY, bmc, "broke off: %s", why);
        }
}

/* Handles an HTTP error. 401 in a session: the session has expired, and a new one is opened. */
static int redfish_refused(const struct session *s, const struct answer *a,
                struct power_cause *cause) {
        const struct power_bmc *bmc = s->bmc;
        char text[160];
        enum power_fault kind = POWER_FAULT_REFUSED;

        cause->retry_after = a->retry_after;
        if (a->status == 401 && s->location[0])
                return redfish_fault(cause, POWER_FAULT_BUSY, bmc, "has ended the session");
        if (a->status == 401)
                return redfish_fault(cause, POWER_FAULT_SHARED, bmc, "refused user or password");
        if (a->status == 403)
                kind = POWER_FAULT_SHARED;
        else if (a->status == 409)
                kind = POWER_FAULT_NOT_NOW;
        else if (a->status == 429 || a->status >= 500)
                kind = POWER_FAULT_BUSY;
        redfish_error_text(a->body ? a->body : "", a->size, text, sizeof text);
        return redfish_fault(cause, kind, bmc, "answered with status %ld%s%s", a->status,
                        *text ? ": " : "", text);
}

/* Sends a request; body NULL: method is GET or DELETE. */
static int redfish_request(struct session *s, const char *method, const char *path,
                const char *body, usec_t limit, struct answer *a, struct power_cause *cause) {
        const struct power_access *access = s->bmc->access;
        _cleanup_free_ char *url = xasprintf("https://%s%s", s->bmc->address, path);
        char error[CURL_ERROR_SIZE] = "";
        usec_t now = now_monotonic();
        long ms = (long)(MIN(limit, s->until > now ? s->until - now : 0) / USEC_PER_MSEC);

        *a = (struct answer){ 0 };
        curl_easy_reset(s->curl); /* keeps connections and TLS sessions */
        curl_easy_setopt(s->curl, CURLOPT_URL, url);
        curl_easy_setopt(s->curl, CURLOPT_PROTOCOLS_STR, "https");
        curl_easy_setopt(s->curl, CURLOPT_PROXY, "");
        curl_easy_setopt(s->curl, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(s->curl, CURLOPT_TIMEOUT_MS, MAX(ms, 1L));
        curl_easy_setopt(s->curl, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
        curl_easy_setopt(s->curl, CURLOPT_SSL_VERIFYPEER, access->tls_verify ? 1L : 0L);
        curl_easy_setopt(s->curl, CURLOPT_SSL_VERIFYHOST, access->tls_verify ? 2L : 0L);
        if (access->certificates) {
                struct curl_blob blob = { access->certificates, strlen(access->certificates),
                        CURL_BLOB_NOCOPY };
                curl_easy_setopt(s->curl, CURLOPT_CAINFO_BLOB, &blob);
        } else if (access->ca_file)
                curl_easy_setopt(s->curl, CURLOPT_CAINFO, access->ca_file);
        if (access->basic_auth) {
                curl_easy_setopt(s->curl, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
                curl_easy_setopt(s->curl, CURLOPT_USERNAME, access->user);
                curl_easy_setopt(s->curl, CURLOPT_PASSWORD, access->password);
        }
        curl_easy_setopt(s->curl, CURLOPT_HTTPHEADER, s->headers);
        curl_easy_setopt(s->curl, CURLOPT_CUSTOMREQUEST, method);
        if (body)
                curl_easy_setopt(s->curl, CURLOPT_POSTFIELDS, body);
        curl_easy_setopt(s->curl, CURLOPT_ERRORBUFFER, error);
        curl_easy_setopt(s->curl, CURLOPT_WRITEFUNCTION, on_body);
        curl_easy_setopt(s->curl, CURLOPT_WRITEDATA, a);
        curl_easy_setopt(s->curl, CURLOPT_HEADERFUNCTION, on_header);
        curl_easy_setopt(s->curl, CURLOPT_HEADERDATA, a);
        CURLcode code = curl_easy_perform(s->curl);
        if (code != CURLE_OK)
                return redfish_failed(s->bmc, code, a, error, cause);
        curl_easy_getinfo(s->curl, CURLINFO_RESPONSE_CODE, &a->status);
        return a->status >= 200 && a->status < 300 ? 0 : redfish_refused(s, a, cause);
}

static int redfish_not_understood(const struct session *s, const struct fail *fail,
                struct power_cause *cause) {
        return redfish_fault(cause, POWER_FAULT_BUSY, s->bmc, "is not understood: %s", fail->text);
}

static int redfish_get(struct session *s, const char *path, struct answer *a,
                struct power_cause *cause) {
        return redfish_request(s, "GET", path, NULL, s->bmc->access->timeout, a, cause);
}

/* ---- a session ---- */

static void set_headers(struct session *s, const char *token) {
        curl_slist_free_all(s->headers);
        s->headers = curl_slist_append(NULL, "Content-Type: application/json");
        s->headers = curl_slist_append(s->headers, "Accept: application/json");
        s->headers = curl_slist_append(s->headers, "OData-Version: 4.0");
        s->headers = curl_slist_append(s->headers, "Expect:"); /* no 100-continue */
        if (token) {
                _cleanup_free_ char *line = xasprintf("X-Auth-Token: %s", token);
                s->headers = curl_slist_append(s->headers, line);
        }
}

static bool token_valid(const char *token) {
        size_t n = token ? strlen(token) : 0;

        for (size_t i = 0; i < n; i++)
                if (token[i] <= ' ' || token[i] > '~')
                        return false;
        return n > 0 && n <= TOKEN_MAX;
}

static int log_in(struct session *s, const char *path, struct power_cause *cause) {
        const struct power_access *access = s->bmc->access;
        _cleanup_(answer_done) struct answer a = { 0 };
        struct json_object *o = json_object_new_object();

        json_object_object_add(o, "UserName", json_object_new_string(access->user));
        json_object_object_add(o, "Password", json_object_new_string(access->password));
        int r = redfish_request(s, "POST", path, json_object_to_json_string(o), access->timeout, &a,
                        cause);
        json_object_put(o);
        if (r < 0)
                return r;
        if (!token_valid(a.token) || !a.location || redfish_path_parse(a.location, s->location) < 0)
                return redfish_fault(cause, POWER_FAULT_BUSY, s->bmc,
                                "is not understood: its session has no token or place");
        set_headers(s, a.token);
        return 0;
}

/* Finds the path of the node's system: by ID, or the only one. */
static int find_system(struct session *s, const char *systems, struct power_cause *cause) {
        _cleanup_(answer_done) struct answer a = { 0 };
        struct fail fail = { 0 };
        int r;

        if (s->bmc->unit) {
                _cleanup_free_ char *path = xasprintf("%s/%s", systems, s->bmc->unit);
                r = redfish_path_parse(path, s->path);
                return r < 0 ? redfish_fault(cause, POWER_FAULT_CONFIG, s->bmc,
                                               "has no such system: %s", s->bmc->unit)
                             : 0;
        }
        r = redfish_get(s, systems, &a, cause);
        if (r < 0)
                return r;
        r = redfish_member_parse(a.body ? a.body : "", a.size, s->path, &fail);
        if (r == -EMLINK || r == -ENOENT)
                return redfish_fault(cause, POWER_FAULT_CONFIG, s->bmc, "is not enough: %s",
                                fail.text);
        return r < 0 ? redfish_not_understood(s, &fail, cause) : 0;
}

static void redfish_close(void *session) {
        struct session *s = session;
        _cleanup_(answer_done) struct answer a = { 0 };
        struct power_cause ignored;

        if (s->location[0]) {
                s->until = now_monotonic() + CLOSE_TIMEOUT; /* also after the deadline */
                redfish_request(s, "DELETE", s->location, NULL, CLOSE_TIMEOUT, &a, &ignored);
        }
        curl_slist_free_all(s->headers);
        curl_easy_cleanup(s->curl);
        free(s);
}

static int redfish_open(const struct power_bmc *bmc, usec_t limit, void **ret_session,
                struct power_cause *cause) {
        struct session *s = xnew0(struct session, 1);
        _cleanup_(answer_done) struct answer a = { 0 };
        struct redfish_root root;
        struct fail fail = { 0 };
        int r;

        s->curl = curl_easy_init();
        s->bmc = bmc;
        if (!s->curl) {
                cause->fault = POWER_FAULT_BUSY;
                free(s);
                return fail_set(&cause->fail, -ENOMEM, "no curl handle for BMC %s", bmc->address);
        }
        s->until = now_monotonic() + limit + POWER_LATE;
        set_headers(s, NULL);
        r = redfish_get(s, "/redfish/v1/", &a, cause);
        if (r >= 0 && redfish_root_parse(a.body ? a.body : "", a.size, &root, &fail) < 0)
                r = redfish_not_understood(s, &fail, cause);
        if (r >= 0 && !bmc->access->basic_auth)
                r = log_in(s, root.sessions, cause);
        if (r >= 0)
                r = find_system(s, root.systems, cause);
        if (r < 0) {
                redfish_close(s);
                return r;
        }
        *ret_session = s;
        return 0;
}

/* ---- driver functions ---- */

/* Notes that the session has ended: no DELETE needed. */
static int note_end(struct session *s, int r, const struct answer *a) {
        if (r < 0 && a->status == 401)
                s->location[0] = '\0';
        return r;
}

static int redfish_status(void *session, enum power_state *ret, struct power_cause *cause) {
        struct session *s = session;
        _cleanup_(answer_done) struct answer a = { 0 };
        struct redfish_system system;
        struct fail fail = { 0 };
        int r = note_end(s, redfish_get(s, s->path, &a, cause), &a);

        if (r < 0)
                return r;
        if (redfish_system_parse(a.body ? a.body : "", a.size, &system, &fail) < 0)
                return redfish_not_understood(s, &fail, cause);
        if (system.state == POWER_UNKNOWN)
                return redfish_fault(cause, POWER_FAULT_BUSY, s->bmc, "gives no PowerState");
        if (!s->have_system)
                s->system = system;
        s->have_system = true;
        *ret = system.state;
        return 0;
}

/* Reads the allowed values of ResetType. A BMC without a list may accept any. */
static int read_allowed(struct session *s, struct power_cause *cause) {
        _cleanup_(answer_done) struct answer a = { 0 };
        struct fail fail = { 0 };
        int r;

        if (s->system.has_allowed)
                return 0;
        s->system.allowed = ~0u;
        if (s->system.action_info[0]) {
                r = note_end(s, redfish_get(s, s->system.action_info, &a, cause), &a);
                if (r < 0)
                        return r;
                if (redfish_action_info_parse(a.body ? a.body : "", a.size, &s->system.allowed,
                                    &fail) < 0)
                        return redfish_not_understood(s, &fail, cause);
        }
        s->system.has_allowed = true;
        return 0;
}

static int redfish_control(void *session, enum power_verb verb, struct power_cause *cause) {
        static const enum redfish_reset wanted[POWER_VERB_MAX][2] = {
                [POWER_ON] = { REDFISH_ON, REDFISH_FORCE_ON },
                [POWER_OFF] = { REDFISH_FORCE_OFF, REDFISH_FORCE_OFF },
                [POWER_SOFT] = { REDFISH_GRACEFUL_SHUTDOWN, REDFISH_GRACEFUL_SHUTDOWN },
        };
        struct session *s = session;
        _cleanup_(answer_done) struct answer a = { 0 };

        assert(verb == POWER_ON || verb == POWER_OFF || verb == POWER_SOFT);
        if (!s->system.target[0])
                return redfish_fault(cause, POWER_FAULT_REFUSED, s->bmc, "cannot reset its system");
        int r = read_allowed(s, cause);
        if (r < 0)
                return r;
        enum redfish_reset reset = wanted[verb][0];
        if (!(s->system.allowed & 1u << reset))
                reset = wanted[verb][1];
        if (!(s->system.allowed & 1u << reset))
                return redfish_fault(cause, POWER_FAULT_REFUSED, s->bmc,
                                "does not allow the reset %s",
                                redfish_reset_text((int)wanted[verb][0]));
        _cleanup_free_ char *body = xasprintf("{\"ResetType\":\"%s\"}",
                        redfish_reset_text((int)reset));
        return note_end(s,
                        redfish_request(s, "POST", s->system.target, body, s->bmc->access->timeout,
                                        &a, cause),
                        &a);
}

static int find_watts(struct session *s, struct power_cause *cause) {
        _cleanup_(answer_done) struct answer system = { 0 }, chassis = { 0 };
        struct fail fail = { 0 };
        int r;

        if (!s->have_system) {
                r = redfish_get(s, s->path, &system, cause);
                if (r < 0)
                        return r;
                if (redfish_system_parse(system.body ? system.body : "", system.size, &s->system,
                                    &fail) < 0)
                        return redfish_not_understood(s, &fail, cause);
                s->have_system = true;
        }
        if (!s->system.chassis[0])
                return redfish_fault(cause, POWER_FAULT_REFUSED, s->bmc,
                                "measures no power: no chassis");
        r = redfish_get(s, s->system.chassis, &chassis, cause);
        if (r < 0)
                return r;
        r = redfish_chassis_parse(chassis.body ? chassis.body : "", chassis.size, s->watts, &fail);
        if (r == -ENODATA)
                return redfish_fault(cause, POWER_FAULT_REFUSED, s->bmc, "measures no power: %s",
                                fail.text);
        return r < 0 ? redfish_not_understood(s, &fail, cause) : 0;
}

static int redfish_watts(void *session, double *ret, struct power_cause *cause) {
        struct session *s = session;
        _cleanup_(answer_done) struct answer a = { 0 };
        struct fail fail = { 0 };
        int r = s->watts[0] ? 0 : find_watts(s, cause);

        if (r >= 0)
                r = redfish_get(s, s->watts, &a, cause);
        if (r < 0)
                return r;
        r = redfish_watts_parse(a.body ? a.body : "", a.size, ret, &fail);
        if (r == -ENODATA)
                return redfish_fault(cause, POWER_FAULT_REFUSED, s->bmc, "measures no power: %s",
                                fail.text);
        return r < 0 ? redfish_not_understood(s, &fail, cause) : 0;
}

/* Adds the MACs of the interfaces, if the service shows them. */
static void add_macs(struct session *s, const char *interfaces, char macs[IDENTITY_LIST_SIZE]) {
        char paths[REDFISH_INTERFACES_MAX][REDFISH_PATH_MAX + 1];
        _cleanup_(answer_done) struct answer all = { 0 };
        struct power_cause ignored;
        int n = 0;

        if (*interfaces && redfish_get(s, interfaces, &all, &ignored) >= 0)
                n = redfish_interfaces_parse(all.body ? all.body : "", all.size, paths, NULL);
        for (int i = 0; i < n; i++) {
                _cleanup_(answer_done) struct answer one = { 0 };
                if (redfish_get(s, paths[i], &one, &ignored) >= 0)
                        (void)redfish_interface_parse(one.body ? one.body : "", one.size, macs,
                                        NULL);
        }
}

/* Called after status: the system is known. Includes the MACs of the manager (BMC), which identify
   the machine if cards are shared or the BMC is seen from inside. */
static int redfish_identify(void *session, struct power_identity *ret, struct power_cause *cause) {
        struct session *s = session;
        char interfaces[REDFISH_PATH_MAX + 1] = "";
        _cleanup_(answer_done) struct answer a = { 0 };
        struct power_cause ignored;

        (void)cause;
        memcpy(ret->uuid, s->system.uuid, sizeof ret->uuid);
        memcpy(ret->product, s->system.product, sizeof ret->product);
        memcpy(ret->serials, s->system.serials, sizeof ret->serials);
        add_macs(s, s->system.interfaces, ret->macs);
        if (s->system.manager[0] && redfish_get(s, s->system.manager, &a, &ignored) >= 0 &&
                        redfish_manager_parse(a.body ? a.body : "", a.size, interfaces, NULL) >= 0)
                add_macs(s, interfaces, ret->macs);
        return 0;
}

static void redfish_init(void) {
        static bool done;

        if (!done)
                curl_global_init(CURL_GLOBAL_DEFAULT);
        done = true;
}

const struct power_driver *power_driver_redfish(void) {
        static const struct power_driver driver = {
                .name = "redfish",
                .noun = "BMC",
                .keeps = true,
                .init = redfish_init,
                .open = redfish_open,
                .status = redfish_status,
                .control = redfish_control,
                .watts = redfish_watts,
                .identify = redfish_identify,
                .close = redfish_close,
        };

        return &driver;
}
