// Reads pairs of a base and a reference, one pair a line, separated by a tab. Prints for each what
// java.net.URI, which follows RFC 2396, resolves it to. With the argument "relativize" the second
// is a target, and the program prints the reference to it. Used by scripts/compare/java-uri.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;

class Oracle {
    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (String line; (line = in.readLine()) != null; ) {
            String[] pair = line.split("\t", -1);
            out.println(answer(arguments[0], pair[0], pair[1]));
        }
        out.flush();
    }

    private static String answer(String verb, String base, String other) {
        try {
            URI from = new URI(base);
            URI to = new URI(other);
            return (verb.equals("relativize") ? from.relativize(to) : from.resolve(to)).toString();
        } catch (URISyntaxException refused) {
            return "refused: " + refused.getMessage();
        }
    }
}
