/* A bot in C: cc -O2 -o bot bot.c, then hanabi simulate process:./bot. It takes a random action.
   The objects of legal actions hold no other objects, so that no JSON library is needed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *field(char *line, const char *key) {
    char *found = strstr(line, key);
    return found ? found + strlen(key) : NULL;
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        if (strstr(line, "\"type\":\"hello\"")) {
            puts("{\"type\":\"hello\",\"protocol\":1,\"name\":\"bot.c\"}");
        } else if (strstr(line, "\"type\":\"turn\"")) {
            char *legal = field(line, "\"legal\":["), *end = strchr(legal, ']');
            unsigned long long number = strtoull(field(line, "\"random\":"), NULL, 10), count = 0;
            long turn = strtol(field(line, "\"turn\":"), NULL, 10);
            for (char *at = legal; at < end; at++) count += *at == '{';
            char *action = strchr(legal, '{');
            for (number %= count; number > 0; number--) action = strchr(action + 1, '{');
            int length = (int)(strchr(action, '}') + 1 - action);
            printf("{\"type\":\"action\",\"turn\":%ld,\"action\":%.*s}\n", turn, length, action);
        }
        fflush(stdout);
    }
    free(line);
    return 0;
}
