/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Durations, points in time and amounts of memory in Slurm's spellings. The functions depend on
 * text, now and the local time zone (mktime, localtime_r) only.
 *
 * A point in time is read in three steps: whole forms (now+N, uts...); then words in any order,
 * each a date or a time of day (time_words); then both are joined: a time without date is today, or
 * tomorrow if already past; a date without time is midnight. */
#include "lib/timetext.h"
#include "lib/wordlist.h"

#include <ctype.h>
#include <strings.h>
#include <time.h>

#define MINUTE ((uint64_t)60)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

/* About 1,000 years: the sum with now, in microseconds, stays far below NO_LIMIT. */
#define DURATION_MAX (366000 * DAY)
#define MEMORY_MAX   (UINT64_C(1) << 40) /* an exabyte, in MB */

/* ---- numbers ---- */

/* Reads up to nine digits at *p; returns their number; -EINVAL: none or more. */
static int digits_take(const char **p, uint64_t *ret) {
        uint64_t v = 0;
        int n = 0;

        for (; isdigit((unsigned char)**p); (*p)++) {
                if (++n > 9)
                        return -EINVAL;
                v = v * 10 + (uint64_t)(**p - '0');
        }
        if (n == 0)
                return -EINVAL;
        *ret = v;
        return n;
}

int uint_parse(const char *text, uint64_t min, uint64_t max, uint64_t *ret) {
        uint64_t v = 0;

        assert(text);
        assert(ret);

        if (!*text)
                return -EINVAL;
        for (const char *p = text; *p; p++) {
                if (!isdigit((unsigned char)*p))
                        return -EINVAL;
                if (__builtin_mul_overflow(v, 10, &v) ||
                                __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v))
                        return -ERANGE;
        }
        if (v < min || v > max)
                return -ERANGE;
        *ret = v;
        return 0;
}

int sampling_parse(const char *text, uint64_t max, uint64_t *ret) {
        static const char *const kinds[] = { "task", "energy", "network", "filesystem" };
        uint64_t task = *ret, n;

        for_each_word(w, text, ",") {
                char *value = strchr(w, '=');
                size_t kind = 0;

                if (value)
                        *value++ = 0;
                while (value && kind < ELEMENTSOF(kinds) && strcasecmp(w, kinds[kind]) != 0)
                        kind++;
                if (kind == ELEMENTSOF(kinds) || uint_parse(value ? value : w, 0, max, &n) < 0)
                        return -EINVAL;
                if (kind == 0)
                        task = n;
        }
        *ret = task;
        return 0;
}

static bool time_is_unlimited(const char *text) {
        return strcasecmp(text, "UNLIMITED") == 0 || strcasecmp(text, "INFINITE") == 0 ||
               streq(text, "-1");
}

/* ---- durations ---- */

/* Reads "1:2:3"; returns the number of fields; the text must end behind the last. */
static int take_fields(const char *p, uint64_t fields[3]) {
        for (int n = 0; n < 3; n++) {
                if (digits_take(&p, &fields[n]) < 0)
                        return -EINVAL;
                if (!*p)
                        return n + 1;
                if (*p++ != ':')
                        return -EINVAL;
        }
        return -EINVAL;
}

static int duration_seconds(const char *text, uint64_t *ret) {
        /* Seconds per unit of each field, by number of fields: without and with days in front. */
        static const uint64_t plain[3][3] = { { MINUTE }, { MINUTE, 1 }, { HOUR, MINUTE, 1 } };
        static const uint64_t after_days[3] = { HOUR, MINUTE, 1 };
        const uint64_t *weights = after_days;
        const char *dash = strchr(text, '-');
        uint64_t f[3], seconds = 0;

        if (dash) {
                if (digits_take(&text, &seconds) < 0 || text != dash)
                        return -EINVAL;
                seconds *= DAY;
                text++;
        }
        int n = take_fields(text, f);
        if (n < 0)
                return n;
        if (!dash)
                weights = plain[n - 1];
        for (int i = 0; i < n; i++)
                seconds += f[i] * weights[i];
        *ret = seconds;
        return 0;
}

int duration_parse(const char *text, usec_t *ret, struct fail *fail) {
        uint64_t seconds;

        assert(text);
        assert(ret);

        if (time_is_unlimited(text)) {
                *ret = NO_LIMIT;
                return 0;
        }
        if (duration_seconds(text, &seconds) < 0 || seconds > DURATION_MAX)
                return fail_set(fail, -EINVAL,
                                "\"%.100s\" is not a time (minutes, M:S, H:M:S, D-H, D-H:M, "
                                "D-H:M:S "
                                "or UNLIMITED)",
                                text);
        *ret = seconds * USEC_PER_SEC;
        return 0;
}

int limit_parse(const char *text, usec_t *ret, struct fail *fail) {
        const usec_t minute = MINUTE * USEC_PER_SEC;
        int r = duration_parse(text, ret, fail);

        if (r >= 0 && *ret != NO_LIMIT)
                *ret = (*ret + minute - 1) / minute * minute;
        return r;
}

int seconds_parse(const char *text, usec_t *ret, struct fail *fail) {
        uint64_t seconds;

        assert(text);
        assert(ret);

        if (time_is_unlimited(text)) {
                *ret = NO_LIMIT;
                return 0;
        }
        if (uint_parse(text, 0, DURATION_MAX, &seconds) < 0)
                return fail_set(fail, -EINVAL, "\"%.100s\" is not a number of seconds", text);
        *ret = seconds * USEC_PER_SEC;
        return 0;
}

int suspend_time_parse(const char *text, usec_t *ret, struct fail *fail) {
        assert(text);
        assert(ret);

        bool negative = *text == '-' && text[1] && !text[1 + strspn(text + 1, "0123456789")];
        if (!negative && strcasecmp(text, "NONE") != 0)
                return seconds_parse(text, ret, fail);
        *ret = NO_LIMIT;
        return 0;
}

const char *duration_text(usec_t d, char buf[TIMETEXT_MAX]) {
        uint64_t s = d / USEC_PER_SEC;
        int n = 0;

        assert(buf);

        if (d == NO_LIMIT)
                return strcpy(buf, "UNLIMITED");
        if (s >= DAY)
                n = snprintf(buf, TIMETEXT_MAX, "%llu-", (unsigned long long)(s / DAY));
        snprintf(buf + n, TIMETEXT_MAX - (size_t)n, "%02u:%02u:%02u", (unsigned)(s % DAY / HOUR),
                        (unsigned)(s % HOUR / MINUTE), (unsigned)(s % MINUTE));
        return buf;
}

const char *duration_short(usec_t d, char buf[TIMETEXT_MAX]) {
        uint64_t s = d / USEC_PER_SEC;
        unsigned hours = (unsigned)(s % DAY / HOUR), minutes = (unsigned)(s % HOUR / MINUTE),
                 seconds = (unsigned)(s % MINUTE);

        assert(buf);

        if (d == NO_LIMIT)
                return strcpy(buf, "UNLIMITED");
        if (s >= DAY)
                return duration_text(d, buf);
        if (hours)
                snprintf(buf, TIMETEXT_MAX, "%u:%02u:%02u", hours, minutes, seconds);
        else
                snprintf(buf, TIMETEXT_MAX, "%u:%02u", minutes, seconds);
        return buf;
}

/* ---- points in time ---- */

struct moment { /* result of the words read so far */
        struct tm today;
        int year, month, day; /* day 0: no date */
        int hour, minute, second;
        bool has_time, has_year;
};

static int set_date(struct moment *m, uint64_t year, uint64_t month, uint64_t day, bool has_year) {
        static const unsigned days[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

        if (m->day || month < 1 || month > 12 || day < 1 || day > days[month - 1])
                return -EINVAL;
        if (has_year && (year < 1970 || year > 9999))
                return -EINVAL;
        if (has_year && month == 2 && day == 29 && (year % 4 || (year % 100 == 0 && year % 400)))
                return -EINVAL;
        m->year = (int)year;
        m->month = (int)month;
        m->day = (int)day;
        m->has_year = has_year;
        return 0;
}

static int moment_set_time(struct moment *m, uint64_t hour, uint64_t minute, uint64_t second) {
        if (m->has_time || hour > 23 || minute > 59 || second > 59)
                return -EINVAL;
        m->hour = (int)hour;
        m->minute = (int)minute;
        m->second = (int)second;
        m->has_time = true;
        return 0;
}

static int set_half_day(struct moment *m, bool pm) {
        if (!m->has_time || m->hour < 1 || m->hour > 12)
                return -EINVAL;
        m->hour = m->hour % 12 + (pm ? 12 : 0);
        return 0;
}

/* Reads "HH:MM[:SS][AM|PM]". */
static int moment_take_clock(struct moment *m, const char **p) {
        uint64_t h, min, s = 0;

        if (digits_take(p, &h) < 0 || *(*p)++ != ':' || digits_take(p, &min) < 0)
                return -EINVAL;
        if (**p == ':') {
                (*p)++;
                if (digits_take(p, &s) < 0)
                        return -EINVAL;
        }
        int r = moment_set_time(m, h, min, s);
        if (r < 0 || (strncasecmp(*p, "am", 2) != 0 && strncasecmp(*p, "pm", 2) != 0))
                return r;
        r = set_half_day(m, tolower((unsigned char)**p) == 'p');
        *p += 2;
        return r;
}

/* Reads "MMDD", "MMDDYY", "MM/DD[/YY]", "MM.DD[.YY]", "YYYY-MM-DD". */
static int take_date(struct moment *m, const char **p) {
        uint64_t a = 0, b, c = 0;
        int digits = digits_take(p, &a);
        char mark = **p;

        if (digits == 6)
                return set_date(m, 2000 + a % 100, a / 10000, a / 100 % 100, true);
        if (digits == 4 && mark != '-')
                return set_date(m, 0, a / 100, a % 100, false);
        if (digits < 0 || !mark || !strchr("/.-", mark) || (mark == '-') != (digits == 4))
                return -EINVAL;
        (*p)++;
        if (digits_take(p, &b) < 0)
                return -EINVAL;
        if (mark == '-') {
                if (*(*p)++ != '-' || digits_take(p, &c) < 0)
                        return -EINVAL;
                return set_date(m, a, b, c, true);
        }
        if (**p != mark)
                return set_date(m, 0, a, b, false);
        (*p)++;
        digits = digits_take(p, &c);
        return digits < 0 ? digits : set_date(m, digits <= 2 ? 2000 + c : c, a, b, true);
}

static int set_day_from_now(struct moment *m, int days) {
        struct tm tm = m->today;

        tm.tm_mday += days;
        tm.tm_hour = 12; /* noon: exists on days with a change of clocks, too */
        tm.tm_isdst = -1;
        if (mktime(&tm) == (time_t)-1)
                return -EINVAL;
        return set_date(m, (uint64_t)(tm.tm_year + 1900), (uint64_t)(tm.tm_mon + 1),
                        (uint64_t)tm.tm_mday, true);
}

static const struct time_word {
        const char *word;
        enum { WORD_CLOCK, WORD_DAY, WORD_HALF } kind;
        int value; /* hour; days from today; 1 = pm */
} time_words[] = {
        { "midnight", WORD_CLOCK, 0 },
        { "noon", WORD_CLOCK, 12 },
        { "elevenses", WORD_CLOCK, 11 },
        { "fika", WORD_CLOCK, 15 },
        { "teatime", WORD_CLOCK, 16 },
        { "today", WORD_DAY, 0 },
        { "tomorrow", WORD_DAY, 1 },
        { "am", WORD_HALF, 0 },
        { "pm", WORD_HALF, 1 },
};

static const struct time_word *time_word_find(const char *p) {
        for (size_t i = 0; i < ELEMENTSOF(time_words); i++)
                if (strncasecmp(p, time_words[i].word, strlen(time_words[i].word)) == 0)
                        return &time_words[i];
        return NULL;
}

static int moment_take_word(struct moment *m, const char **p) {
        const struct time_word *w = time_word_find(*p);

        if (!w)
                return -EINVAL;
        *p += strlen(w->word);
        switch (w->kind) {
        case WORD_CLOCK:
                return moment_set_time(m, (uint64_t)w->value, 0, 0);
        case WORD_DAY:
                return set_day_from_now(m, w->value);
        case WORD_HALF:
                return set_half_day(m, w->value);
        }
        return -EINVAL;
}

/* Skips the gap between two words: empty, blanks, or "-", after a date also "T". */
static int take_gap(const char **p, bool behind_date) {
        const char *mark = *p;

        if (*mark == '-' ||
                        (behind_date && (*mark == 'T' || *mark == 't') && !time_word_find(mark)))
                return isalnum((unsigned char)*++*p) ? 0 : -EINVAL;
        if (*mark && *mark != ' ' && !isalpha((unsigned char)*mark))
                return -EINVAL;
        *p += strspn(*p, " ");
        return 0;
}

static int moment_take_words(struct moment *m, const char *p) {
        p += strspn(p, " ");
        if (!*p)
                return -EINVAL;
        while (*p) {
                size_t digits = strspn(p, "0123456789");
                bool had_date = m->day;
                int r;
                if (digits == 0)
                        r = moment_take_word(m, &p);
                else
                        r = p[digits] == ':' ? moment_take_clock(m, &p) : take_date(m, &p);
                if (r >= 0)
                        r = take_gap(&p, !had_date && m->day);
                if (r < 0)
                        return r;
        }
        return 0;
}

static int make_time(const struct moment *m, int year, int extra_days, usec_t *ret) {
        struct tm tm = {
                .tm_year = year - 1900,
                .tm_mon = (m->day ? m->month : m->today.tm_mon + 1) - 1,
                .tm_mday = (m->day ? m->day : m->today.tm_mday) + extra_days,
                .tm_hour = m->hour,
                .tm_min = m->minute,
                .tm_sec = m->second,
                .tm_isdst = -1,
        };
        time_t t = mktime(&tm);

        if (t < 0)
                return -EINVAL;
        *ret = (usec_t)t * USEC_PER_SEC;
        return 0;
}

static int join_moment(const struct moment *m, usec_t now, usec_t *ret) {
        int year = m->has_year ? m->year : m->today.tm_year + 1900;
        usec_t t, day = now - now % USEC_PER_SEC;
        int r = make_time(m, year, 0, &t);

        if (r < 0)
                return r;
        if (!m->day && t < day)
                r = make_time(m, year, 1, &t);
        else if (m->day && !m->has_year && t + DAY * USEC_PER_SEC <= now)
                r = make_time(m, year + 1, 0, &t);
        if (r >= 0)
                *ret = t;
        return r;
}

static const struct {
        const char *word;
        uint64_t seconds;
} units[] = {
        { "second", 1 },
        { "minute", MINUTE },
        { "hour", HOUR },
        { "day", DAY },
        { "week", 7 * DAY },
};

/* Accepts any abbreviation of a unit, at least one letter, and its plural. */
static int unit_seconds(const char *word, uint64_t *ret) {
        size_t n = strlen(word);

        for (size_t i = 0; i < ELEMENTSOF(units); i++) {
                size_t whole = strlen(units[i].word);
                bool plural = n > 1 && n <= whole + 1 && tolower((unsigned char)word[n - 1]) == 's';
                if ((n > 0 && n <= whole && strncasecmp(word, units[i].word, n) == 0) ||
                                (plural && strncasecmp(word, units[i].word, n - 1) == 0)) {
                        *ret = units[i].seconds;
                        return 0;
                }
        }
        return -EINVAL;
}

/* Reads the text after "now": "", "+90", "+ 1 hour", "-5minutes". */
static int parse_offset(const char *p, usec_t now, usec_t *ret) {
        uint64_t count, unit = 1;

        p += strspn(p, " ");
        if (!*p) {
                *ret = now;
                return 0;
        }
        char sign = *p++;
        p += strspn(p, " ");
        if ((sign != '+' && sign != '-') || digits_take(&p, &count) < 0)
                return -EINVAL;
        p += strspn(p, " ");
        if (*p && unit_seconds(p, &unit) < 0)
                return -EINVAL;
        if (count * unit > DURATION_MAX)
                return -EINVAL;
        usec_t d = count * unit * USEC_PER_SEC;
        if (sign == '-' && d > now)
                return -EINVAL;
        *ret = sign == '+' ? now + d : now - d;
        return 0;
}

static int parse_moment(const char *text, usec_t now, usec_t *ret) {
        time_t seconds = (time_t)(now / USEC_PER_SEC);
        struct moment m = { 0 };
        uint64_t uts;
        int r;

        if (strncasecmp(text, "now", 3) == 0)
                return parse_offset(text + 3, now, ret);
        if (strncasecmp(text, "uts", 3) == 0) {
                r = uint_parse(text + 3, 0, 10 * DURATION_MAX, &uts);
                if (r >= 0)
                        *ret = uts * USEC_PER_SEC;
                return r;
        }
        if (!localtime_r(&seconds, &m.today))
                return -EINVAL;
        r = moment_take_words(&m, text);
        return r < 0 ? r : join_moment(&m, now, ret);
}

int time_parse(const char *text, usec_t now, usec_t *ret, struct fail *fail) {
        assert(text);
        assert(ret);

        if (parse_moment(text, now, ret) < 0)
                return fail_set(fail, -EINVAL,
                                "\"%.100s\" is not a point in time (HH:MM, now+1hour, "
                                "YYYY-MM-DDTHH:MM:SS, tomorrow, ...)",
                                text);
        return 0;
}

const char *time_text(usec_t t, const char *format, char buf[TIMETEXT_MAX]) {
        static const char iso[] = "%Y-%m-%dT%H:%M:%S";
        time_t seconds = (time_t)(t / USEC_PER_SEC);
        struct tm tm;

        assert(buf);

        if (t == 0 || t == NO_LIMIT || !localtime_r(&seconds, &tm))
                return strcpy(buf, "Unknown");
        if (isempty(format) || streq(format, "standard") || streq(format, "relative"))
                format = iso;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        if (strftime(buf, TIMETEXT_MAX, format, &tm) == 0) /* longer than buf */
                strftime(buf, TIMETEXT_MAX, iso, &tm);
#pragma GCC diagnostic pop
        return buf;
}

/* ---- memory ---- */

int memory_parse(const char *text, uint64_t *ret_mb, struct fail *fail) {
        static const char letters[] = "KMGTP";
        uint64_t v = 0;
        const char *p = text, *letter;

        assert(text);
        assert(ret_mb);

        int digits = 0;
        for (; isdigit((unsigned char)*p) && ++digits <= 15; p++)
                v = v * 10 + (uint64_t)(*p - '0');
        letter = *p ? strchr(letters, toupper((unsigned char)*p)) : letters + 1;
        if (digits == 0 || !letter || (*p && p[1] && strcasecmp(p + 1, "B") != 0))
                goto bad;
        if (letter == letters)
                v = (v + 1023) / 1024;
        for (; letter > letters + 1; letter--)
                v = v > MEMORY_MAX ? v : v * 1024;
        if (v > MEMORY_MAX)
                goto bad;
        *ret_mb = v;
        return 0;
bad:
        return fail_set(fail, -EINVAL, "\"%.100s\" is not an amount of memory (100, 512K, 4G)",
                        text);
}

const char *memory_text(uint64_t mb, char buf[TIMETEXT_MAX]) {
        static const char letters[] = "MGTP";
        size_t i = 0;

        assert(buf);

        if (mb == 0)
                return strcpy(buf, "0");
        for (; i < 3 && mb % 1024 == 0; i++)
                mb /= 1024;
        snprintf(buf, TIMETEXT_MAX, "%llu%c", (unsigned long long)mb, letters[i]);
        return buf;
}
