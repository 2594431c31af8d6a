/* Preloaded into curl and wget by scripts/compare/readers. Prints the host of each getaddrinfo, with
   an address of its own, and the address and port of each connect, on standard error; lets no connection out. PASSES is the port of
   the script's own proxy on 127.0.0.1, which may be contacted. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void report(const char *text, size_t length) {
    if (write(2, text, length) < 0) abort();
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
    int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = dlsym(RTLD_NEXT, "getaddrinfo");
    char line[8192], address[32];
    static int names;
    int six = hints && hints->ai_family == AF_INET6;
    names++;
    snprintf(address, sizeof address, six ? "64:ff9b:9::%x" : "127.66.%d.%d", six ? names : names >> 8, names & 255);
    int used = snprintf(line, sizeof line, "\n@@name %s ", address);
    for (const unsigned char *at = (const unsigned char *)(node ? node : ""); *at && used < (int)sizeof line - 8; at++)
        used += snprintf(line + used, sizeof line - used, "%02x", *at);
    line[used++] = '\n';
    report(line, used);
    return next(address, service, hints, found);
}

int connect(int socket, const struct sockaddr *address, socklen_t length) {
    int (*next)(int, const struct sockaddr *, socklen_t) = dlsym(RTLD_NEXT, "connect");
    char text[INET6_ADDRSTRLEN] = "", line[128];
    const char *passes = getenv("PASSES");
    int port = 0;
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)address;
        inet_ntop(AF_INET, &in->sin_addr, text, sizeof text);
        port = ntohs(in->sin_port);
    } else if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)address;
        inet_ntop(AF_INET6, &in->sin6_addr, text, sizeof text);
        port = ntohs(in->sin6_port);
    } else {
        errno = ECONNREFUSED;
        return -1;
    }
    if (passes && port == atoi(passes)) return next(socket, address, length);
    report(line, snprintf(line, sizeof line, "\n@@connect %s %d\n", text, port));
    errno = ECONNREFUSED;
    return -1;
}
