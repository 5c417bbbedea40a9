// SPDX-License-Identifier: Apache-2.0
package orderdesk;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** JSON, which Java's library lacks: Map, List, Long for whole numbers, BigDecimal for others. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Throws IllegalArgumentException or IndexOutOfBoundsException for invalid JSON. */
    static Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.space();
        if (json.at != text.length()) {
            throw new IllegalArgumentException("text after the JSON");
        }
        return value;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    /** Return a record with an object's members: those that it does not have are left out. */
    static <R> R record(Class<R> type, Map<String, Object> members) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            String name = components[i].getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
            values[i] = converted(components[i].getGenericType(), members.get(name));
        }
        Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException(error);
        }
    }

    private static Object converted(Type type, Object value) {
        if (type == int.class) {
            return value == null ? 0 : Math.toIntExact((Long) value);
        }
        if (type == long.class) {
            return value == null ? 0L : value;
        }
        if (type == boolean.class) {
            return Boolean.TRUE.equals(value);
        }
        if (type instanceof ParameterizedType map && map.getRawType() == Map.class) {
            return value;
        }
        if (type instanceof ParameterizedType list) {
            Type item = list.getActualTypeArguments()[0];
            return value == null ? null : ((List<?>) value).stream().map(each -> converted(item, each)).toList();
        }
        Class<?> whole = (Class<?>) type;
        return whole.isRecord() && value != null ? record(whole, object(value)) : whole.cast(value);
    }

    static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            int short_ = "\b\t\n\f\r\"\\".indexOf(c);
            if (short_ >= 0) {
                out.append('\\').append("btnfr\"\\".charAt(short_));
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }

    private Object value() {
        space();
        char c = text.charAt(at);
        if (c == '{') {
            Map<String, Object> members = new LinkedHashMap<>();
            for (at++; !ends('}', members.isEmpty()); ) {
                space();
                String name = string();
                space();
                expect(':');
                members.put(name, value());
            }
            return members;
        }
        if (c == '[') {
            List<Object> items = new ArrayList<>();
            for (at++; !ends(']', items.isEmpty()); ) {
                items.add(value());
            }
            return items;
        }
        return c == '"' ? string() : word();
    }

    private Object word() {
        int start = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(start, at);
        return switch (word) {
            case "null" -> null;
            case "true" -> true;
            case "false" -> false;
            default -> word.matches("-?\\d{1,18}") ? (Object) Long.valueOf(word) : new BigDecimal(word);
        };
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
            if (c == '\\') {
                c = text.charAt(at++);
                int short_ = "btnfr".indexOf(c);
                if (c == 'u') {
                    c = (char) Integer.parseInt(text.substring(at, at += 4), 16);
                } else if (short_ >= 0) {
                    c = "\b\t\n\f\r".charAt(short_);
                }
            }
            out.append(c);
        }
        return out.toString();
    }

    /** Consume the end of an object or array, or the comma before its next member. */
    private boolean ends(char end, boolean isFirst) {
        space();
        if (text.charAt(at) == end) {
            at++;
            return true;
        }
        if (!isFirst) {
            expect(',');
        }
        return false;
    }

    private void expect(char c) {
        if (text.charAt(at++) != c) {
            throw new IllegalArgumentException("no " + c + " at " + (at - 1));
        }
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }
}
