// Pairs of a base and a reference in, one pair a line with a tab between; for each what java.net.URI, which
// follows RFC 2396, resolves it to out. With the word "relativize" the second is a target, and the
// reference to it leaves. scripts/compare-java-uri compares it with ours.

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
