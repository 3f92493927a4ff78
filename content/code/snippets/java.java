// --- point
record Point(double x, double y) {
    double distance(Point other) {
        return Math.hypot(x - other.x, y - other.y);
    }
}
// --- stack
class Stack<T> {
    private final java.util.ArrayList<T> items = new java.util.ArrayList<>();

    void push(T item) {
        items.add(item);
    }

    T pop() {
        return items.remove(items.size() - 1);
    }
}
// --- word count
import java.util.Map;
import java.util.TreeMap;

class Words {
    static Map<String, Integer> count(String text) {
        Map<String, Integer> counts = new TreeMap<>();
        for (String word : text.split("\\s+")) {
            counts.merge(word, 1, Integer::sum);
        }
        return counts;
    }
}
// --- shape
sealed interface Shape permits Circle, Square {
    double area();
}

record Circle(double radius) implements Shape {
    public double area() {
        return Math.PI * radius * radius;
    }
}

record Square(double side) implements Shape {
    public double area() {
        return side * side;
    }
}
// --- stream
import java.util.List;

class Names {
    static List<String> initials(List<String> names) {
        return names.stream()
            .filter(name -> !name.isBlank())
            .map(name -> name.substring(0, 1).toUpperCase())
            .sorted()
            .toList();
    }
}
// --- read file
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class Lines {
    static long count(Path path) throws IOException {
        try (var lines = Files.lines(path)) {
            return lines.filter(line -> !line.isEmpty()).count();
        }
    }
}
// --- level
enum Level {
    INFO, WARNING, ERROR;

    String label() {
        return switch (this) {
            case INFO -> "for your information";
            case WARNING -> "look at this";
            case ERROR -> "this must be fixed";
        };
    }
}
// --- singleton
final class Settings {
    private static final Settings INSTANCE = new Settings();
    private int port = 8080;

    private Settings() {}

    static Settings get() {
        return INSTANCE;
    }

    int port() {
        return port;
    }
}
// --- binary search
class Search {
    static int find(int[] values, int wanted) {
        int low = 0, high = values.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (values[middle] < wanted) low = middle + 1;
            else high = middle;
        }
        return low;
    }
}
// --- optional
import java.util.List;
import java.util.Optional;

class Shop {
    record Item(String name, int price) {}

    static Optional<Item> cheapest(List<Item> items) {
        return items.stream().min((a, b) -> a.price() - b.price());
    }
}
// --- executor
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

class Later {
    static <T> T run(Callable<T> job) throws Exception {
        var pool = Executors.newSingleThreadExecutor();
        try {
            return pool.submit(job).get();
        } finally {
            pool.shutdown();
        }
    }
}
// --- primes
class Primes {
    public static void main(String[] args) {
        for (int number = 2; number < 100; number++) {
            boolean prime = true;
            for (int i = 2; i * i <= number; i++) {
                if (number % i == 0) prime = false;
            }
            if (prime) System.out.println(number);
        }
    }
}
