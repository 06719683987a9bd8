package io.peerlens.support;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Damages bytes at random, for fuzz tests of all formats. */
public final class Damage {

  /** What no sender should write where a value of JSON stands. */
  private static final String[] ODD = {
    "9".repeat(309),
    "-" + "9".repeat(400),
    "9".repeat(1_001),
    "1e400",
    "-1e400",
    "1e999999999",
    "-0",
    "1e-400",
    "9223372036854775808",
    "18446744073709551616",
    "null",
    "true",
    "\"\"",
    "\"x\"",
    "[]",
    "{}",
    "[[[[[]]]]]",
    "[".repeat(30),
    "{\"a\":".repeat(30),
    "\"" + "\\" + "ud800\"",
    "\"" + "\\" + "u0000\"",
    "NaN"
  };

  private static final byte[] SPECIAL =
      " ,=\"\\\n\r\t#iu.-eE+0{[}]:".getBytes(StandardCharsets.UTF_8);

  private Damage() {}

  /** One to three damages. */
  public static byte[] of(byte[] sound, byte[][] others, SplittableRandom random) {
    byte[] damaged = sound.clone();
    for (int times = 1 + random.nextInt(3); times > 0; times--) {
      damaged = once(damaged, others, random);
    }
    return damaged;
  }

  /** One damage; {@code bytes} may be changed. */
  public static byte[] once(byte[] bytes, byte[][] others, SplittableRandom random) {
    if (bytes.length == 0) {
      return new byte[] {(byte) random.nextInt(256)};
    }
    int at = random.nextInt(bytes.length);
    int to = at + random.nextInt(Math.min(40, bytes.length - at) + 1);
    return switch (random.nextInt(11)) {
      case 0 -> { // a flipped bit
        bytes[at] ^= (byte) (1 << random.nextInt(8));
        yield bytes;
      }
      case 1 -> Arrays.copyOf(bytes, at); // cut off
      case 2 -> // a hole
          join(Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, to, bytes.length));
      case 3 -> { // spliced with another one
        byte[] other = others[random.nextInt(others.length)];
        yield join(
            Arrays.copyOf(bytes, at),
            Arrays.copyOfRange(other, random.nextInt(other.length), other.length));
      }
      case 4 -> // a stretch twice
          join(Arrays.copyOf(bytes, to), Arrays.copyOfRange(bytes, at, bytes.length));
      case 5 -> { // random bytes
        byte[] noise = new byte[1 + random.nextInt(8)];
        for (int i = 0; i < noise.length; i++) {
          noise[i] = (byte) random.nextInt(256);
        }
        yield insert(bytes, at, noise);
      }
      case 6 -> // bytes that are no UTF-8, NULs
          insert(bytes, at, random.nextBoolean() ? new byte[] {(byte) 0xC3, 0x28} : new byte[1]);
      case 7 -> // what means something
          insert(bytes, at, new byte[] {SPECIAL[random.nextInt(SPECIAL.length)]});
      case 8 -> { // digits
        byte[] digits = new byte[random.nextInt(30)];
        Arrays.fill(digits, (byte) ('0' + random.nextInt(10)));
        yield insert(bytes, at, digits);
      }
      default -> value(bytes, at, random);
    };
  }

  /** Puts an odd value in place of the next value of JSON. */
  private static byte[] value(byte[] bytes, int at, SplittableRandom random) {
    int from = at;
    while (from < bytes.length && bytes[from] != ':') {
      from++;
    }
    int to = Math.min(bytes.length, from + 1);
    while (to < bytes.length && ",}]".indexOf(bytes[to]) < 0) {
      to++;
    }
    byte[] odd = ODD[random.nextInt(ODD.length)].getBytes(StandardCharsets.UTF_8);
    return join(
        join(Arrays.copyOf(bytes, Math.min(bytes.length, from + 1)), odd),
        Arrays.copyOfRange(bytes, to, bytes.length));
  }

  private static byte[] insert(byte[] bytes, int at, byte[] what) {
    return join(join(Arrays.copyOf(bytes, at), what), Arrays.copyOfRange(bytes, at, bytes.length));
  }

  private static byte[] join(byte[] a, byte[] b) {
    byte[] joined = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, joined, a.length, b.length);
    return joined;
  }
}
