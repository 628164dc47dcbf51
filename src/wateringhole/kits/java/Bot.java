// A starter bot: it plays one game in the dialect `native`, one JSON object a line.
//
// java Bot                        speaks on standard input and output
// java Bot localhost 45678 Ann    plays at a server, under the name Ann
//
// The strategy is in `choose` and `feed`: change them. What is below them only carries messages, and reads and writes
// JSON, for which Java has no library of its own.

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public final class Bot {
    static final String NAME = "java starter";

    /** The traits that a new board should bear, the best ones first. */
    static final String[] FAVOURITES = {
        "long-neck",
        "foraging",
        "cooperation",
        "scavenger",
        "fertile",
        "carnivore",
        "climbing",
        "hard-shell",
        "burrowing",
        "herding",
        "symbiosis",
        "horns",
        "warning-call",
    };
    static final int MAX_TRAITS = 3;
    static final int MAX_POPULATION = 7;

    /** How to use the cards. Cards and boards are named by their place, counted from 0; a card can be used once. */
    static Json choose(Json request) {
        Json hand = request.get("me").get("hand"); // each card is [food, trait]
        List<Integer> populations = new ArrayList<>();
        for (Json board : request.get("me").get("boards").items()) {
            populations.add(board.get("population").number());
        }

        // The watering hole gets the card with the most food.
        int food = 0;
        for (int card = 1; card < hand.size(); card++) {
            if (foodOf(hand, card) > foodOf(hand, food)) {
                food = card;
            }
        }
        List<Integer> spare = new ArrayList<>();
        for (int card = 0; card < hand.size(); card++) {
            if (card != food) {
                spare.add(card);
            }
        }

        // One card pays for a new board, and its traits are our favourites among the others. Each favourite is taken
        // once, so no trait is twice on the board.
        Json newBoards = Json.array();
        if (spare.size() >= 3) {
            Json traits = Json.array();
            for (String favourite : FAVOURITES) {
                int at = bearing(favourite, hand, spare);
                if (at >= 0 && traits.size() < MAX_TRAITS && spare.size() > 1) {
                    traits.add(spare.remove(at));
                }
            }
            newBoards.add(Json.object().put("pay", spare.remove(0)).put("traits", traits));
            populations.add(1); // a new board counts on behind the old ones
        }

        // Every other card buys an animal for the board that has the fewest.
        Json growth = Json.array();
        for (int card : spare) {
            int smallest = 0;
            for (int board = 1; board < populations.size(); board++) {
                if (populations.get(board) < populations.get(smallest)) {
                    smallest = board;
                }
            }
            if (populations.get(smallest) < MAX_POPULATION) {
                growth.add(Json.object().put("board", smallest).put("card", card));
                populations.set(smallest, populations.get(smallest) + 1);
            }
        }

        return Json.object().put("move", "play").put("food", food).put("population", growth).put("boards", newBoards);
    }

    /** What to feed next: graze if possible, else attack, else store fat. Every option can be sent back as it is. */
    static Json feed(Json request) {
        for (String move : new String[] {"graze", "attack", "store"}) {
            for (Json option : request.get("options").items()) {
                if (option.get("move").text().equals(move)) {
                    return option;
                }
            }
        }
        return Json.object().put("move", "decline");
    }

    static int foodOf(Json hand, int card) {
        return hand.at(card).at(0).number();
    }

    /** The place in `spare` of the first card with this trait, or -1. */
    static int bearing(String trait, Json hand, List<Integer> spare) {
        for (int at = 0; at < spare.size(); at++) {
            if (hand.at(spare.get(at)).at(1).text().equals(trait)) {
                return at;
            }
        }
        return -1;
    }

    // Plumbing

    public static void main(String[] words) {
        System.exit(run(words));
    }

    static int run(String[] words) {
        boolean remote = words.length == 2 || words.length == 3;
        if (words.length != 0 && !(remote && isPort(words[1]))) {
            return fail("usage: java Bot [HOST PORT [NAME]]", 2);
        }
        String name = words.length == 3 ? words[2] : NAME;
        try {
            if (!remote) {
                return play(System.in, new FileOutputStream(FileDescriptor.out), name);
            }
            try (Socket line = new Socket(words[0], Integer.parseInt(words[1]))) {
                return play(line.getInputStream(), line.getOutputStream(), name);
            }
        } catch (IOException error) {
            return fail("no connection: " + error, 1);
        }
    }

    static boolean isPort(String word) {
        return word.matches("[0-9]{1,5}") && Integer.parseInt(word) <= 65_535;
    }

    /** Sign up, answer every request until the game is over, and return the exit code. */
    static int play(InputStream incoming, OutputStream outgoing, String name) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(incoming, StandardCharsets.UTF_8));
        say(outgoing, Json.object().put("wateringhole", 1).put("name", name));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Json message = Json.read(line);
            switch (message.get("type").text()) {
                case "choose" -> say(outgoing, answer(message, choose(message)));
                case "feed" -> say(outgoing, answer(message, feed(message)));
                case "expelled", "refused" -> {
                    return fail(message.get("type").text() + ": " + message.get("text").text(), 1);
                }
                case "over" -> {
                    return 0;
                }
                default -> { } // every other message only tells something; later versions may have more of them
            }
        }
        return 0;
    }

    static Json answer(Json request, Json move) {
        return Json.object().put("id", request.get("id")).put("answer", move);
    }

    static void say(OutputStream outgoing, Json message) throws IOException {
        outgoing.write((message + "\n").getBytes(StandardCharsets.UTF_8));
        outgoing.flush();
    }

    static int fail(String sentence, int code) {
        System.err.println(sentence);
        return code;
    }

    /**
     * A JSON value: a Map, a List, a String, a Double, a Boolean or null. What is not there reads as null, and null
     * reads as 0, as "" and as an empty list, so that looking for something never fails.
     */
    record Json(Object value) {
        static Json object() {
            return new Json(new LinkedHashMap<String, Json>());
        }

        static Json array() {
            return new Json(new ArrayList<Json>());
        }

        static Json read(String line) {
            return new Reader(line).whole();
        }

        /** The part of an object that has this name. */
        Json get(String name) {
            Json part = value instanceof Map<?, ?> map ? (Json) map.get(name) : null;
            return part == null ? new Json(null) : part;
        }

        /** The item of an array at this place. */
        Json at(int place) {
            return place >= 0 && place < size() ? items().get(place) : new Json(null);
        }

        int size() {
            return items().size();
        }

        @SuppressWarnings("unchecked")
        List<Json> items() {
            return value instanceof List<?> list ? (List<Json>) list : List.of();
        }

        int number() {
            return value instanceof Double number ? number.intValue() : 0;
        }

        String text() {
            return value instanceof String text ? text : "";
        }

        /** Gives an object one more part: a Json, an int or a String. */
        @SuppressWarnings("unchecked")
        Json put(String name, Object part) {
            ((Map<String, Json>) value).put(name, of(part));
            return this;
        }

        /** Gives an array one more item: a Json, an int or a String. */
        @SuppressWarnings("unchecked")
        Json add(Object item) {
            ((List<Json>) value).add(of(item));
            return this;
        }

        static Json of(Object part) {
            if (part instanceof Json json) {
                return json;
            }
            return new Json(part instanceof Integer number ? Double.valueOf(number) : part);
        }

        /** The value as it goes over the wire, in one line. */
        @Override
        public String toString() {
            StringBuilder out = new StringBuilder();
            write(out);
            return out.toString();
        }

        void write(StringBuilder out) {
            if (value instanceof Map<?, ?> map) {
                String before = "{";
                for (Map.Entry<?, ?> part : map.entrySet()) {
                    out.append(before);
                    quote((String) part.getKey(), out);
                    out.append(':');
                    ((Json) part.getValue()).write(out);
                    before = ",";
                }
                out.append(map.isEmpty() ? "{}" : "}");
            } else if (value instanceof List<?>) {
                String before = "[";
                for (Json item : items()) {
                    out.append(before);
                    item.write(out);
                    before = ",";
                }
                out.append(size() == 0 ? "[]" : "]");
            } else if (value instanceof String text) {
                quote(text, out);
            } else if (value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1e15) {
                out.append(number.longValue()); // 1 and not 1.0, which the server would not take for a place
            } else {
                out.append(value);
            }
        }

        static void quote(String text, StringBuilder out) {
            out.append('"');
            for (char letter : text.toCharArray()) {
                if (letter == '"' || letter == '\\') {
                    out.append('\\').append(letter);
                } else if (letter < ' ') {
                    out.append(String.format("\\u%04x", (int) letter));
                } else {
                    out.append(letter);
                }
            }
            out.append('"');
        }
    }

    /** Reads one JSON value. */
    static final class Reader {
        private final String line;
        private int at = 0;

        Reader(String line) {
            this.line = line;
        }

        Json whole() {
            Json value = value();
            if (next() != '\0') {
                throw wrong();
            }
            return value;
        }

        private Json value() {
            return switch (next()) {
                case '{' -> object();
                case '[' -> array();
                case '"' -> new Json(string());
                case 't' -> word("true", true);
                case 'f' -> word("false", false);
                case 'n' -> word("null", null);
                default -> number();
            };
        }

        private Json object() {
            Json object = Json.object();
            at++;
            while (next() != '}') {
                if (object.value() instanceof Map<?, ?> map && !map.isEmpty()) {
                    skip(',');
                }
                if (next() != '"') {
                    throw wrong();
                }
                String name = string();
                skip(':');
                object.put(name, value());
            }
            at++;
            return object;
        }

        private Json array() {
            Json array = Json.array();
            at++;
            while (next() != ']') {
                if (array.size() > 0) {
                    skip(',');
                }
                array.add(value());
            }
            at++;
            return array;
        }

        private String string() {
            StringBuilder text = new StringBuilder();
            for (at++; at < line.length() && line.charAt(at) != '"'; at++) {
                char letter = line.charAt(at);
                text.append(letter == '\\' ? escaped() : letter);
            }
            skip('"');
            return text.toString();
        }

        /** What a backslash and the letter behind it stand for. */
        private char escaped() {
            at++;
            char letter = at < line.length() ? line.charAt(at) : '\0';
            return switch (letter) {
                case 'b' -> '\b';
                case 'f' -> '\f';
                case 'n' -> '\n';
                case 'r' -> '\r';
                case 't' -> '\t';
                case 'u' -> unicode();
                default -> letter;
            };
        }

        private char unicode() {
            if (at + 4 >= line.length()) {
                throw wrong();
            }
            at += 4;
            return (char) Integer.parseInt(line.substring(at - 3, at + 1), 16);
        }

        private Json word(String word, Object value) {
            if (!line.startsWith(word, at)) {
                throw wrong();
            }
            at += word.length();
            return new Json(value);
        }

        private Json number() {
            int from = at;
            while (at < line.length() && "+-.0123456789eE".indexOf(line.charAt(at)) >= 0) {
                at++;
            }
            if (from == at) {
                throw wrong();
            }
            return new Json(Double.valueOf(line.substring(from, at)));
        }

        private void skip(char sign) {
            if (next() != sign) {
                throw wrong();
            }
            at++;
        }

        /** The first character that is no white space, which is not taken yet; at the end of the line, 0. */
        private char next() {
            while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
                at++;
            }
            return at < line.length() ? line.charAt(at) : '\0';
        }

        private IllegalStateException wrong() {
            return new IllegalStateException("no JSON at character " + at + " of " + line);
        }
    }
}
