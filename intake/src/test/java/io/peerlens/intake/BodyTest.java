package io.peerlens.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Bodies are read within limits of size, memory and time. */
class BodyTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  private final IntakeMemory memory = new IntakeMemory(16 << 20);

  private byte[] read(byte[] body, String encoding, int most) throws Refusal, IOException {
    try (IntakeMemory.Share share = memory.share()) {
      return Body.read(new ByteArrayInputStream(body), encoding, most, LONG, share);
    } finally {
      assertThat(memory.free()).isEqualTo(16 << 20);
    }
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
      zip.write(plain);
    }
    return out.toByteArray();
  }

  private static int status(Throwable e) {
    return ((Refusal) e).status();
  }

  @Test
  void eachEncodingIsUncompressed() throws Exception {
    byte[] plain = "cpu v=1\n".repeat(50_000).getBytes(UTF_8);
    ByteArrayOutputStream deflated = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(deflated)) {
      out.write(plain);
    }
    assertThat(read(plain, "", plain.length)).isEqualTo(plain);
    assertThat(read(plain, "identity", plain.length)).isEqualTo(plain);
    assertThat(read(gzip(plain), "gzip", plain.length)).isEqualTo(plain);
    assertThat(read(gzip(plain), "GZIP", plain.length)).isEqualTo(plain);
    assertThat(read(deflated.toByteArray(), "deflate", plain.length)).isEqualTo(plain);
  }

  @Test
  void whatIsOneByteTooLongIsRefusedAlsoWhenItIsCompressed() throws Exception {
    byte[] plain = new byte[200_000];
    assertThat(read(plain, "", 200_000)).hasSize(200_000);
    assertThatThrownBy(() -> read(plain, "", 199_999)).matches(e -> status(e) == 413);
    assertThatThrownBy(() -> read(gzip(plain), "gzip", 199_999)).matches(e -> status(e) == 413);
  }

  @Test
  void aBombIsRefusedBeforeItGrows() throws Exception {
    byte[] bomb = gzip(new byte[500_000_000]);
    assertThat(bomb.length).isLessThan(600_000);
    assertThatThrownBy(() -> read(bomb, "gzip", 1 << 20)).matches(e -> status(e) == 413);
    assertThatThrownBy(() -> read(bomb, "gzip", 400_000_000)).matches(e -> status(e) == 429);
  }

  @Test
  void aBodyThatNeverEndsIsRefusedWhenItsTimeIsOver() {
    InputStream drops =
        new InputStream() {
          @Override
          public int read() {
            return 'x';
          }

          @Override
          public int read(byte[] b, int off, int len) {
            b[off] = 'x';
            return 1;
          }
        };
    assertThatThrownBy(
            () -> {
              try (IntakeMemory.Share share = memory.share()) {
                Body.read(drops, "", 1 << 20, Duration.ofNanos(1), share);
              }
            })
        .matches(e -> status(e) == 408);
  }

  @Test
  void whatIsNotAsItsEncodingSaysIsRefused() throws Exception {
    byte[] zipped = gzip("cpu v=1".getBytes(UTF_8));
    assertThatThrownBy(() -> read("cpu v=1".getBytes(UTF_8), "gzip", 100))
        .matches(e -> status(e) == 400);
    assertThatThrownBy(() -> read(java.util.Arrays.copyOf(zipped, zipped.length - 3), "gzip", 100))
        .matches(e -> status(e) == 400);
    assertThatThrownBy(() -> read(new byte[0], "gzip", 100)).matches(e -> status(e) == 400);
    assertThatThrownBy(() -> read(zipped, "br", 100)).matches(e -> status(e) == 415);
    assertThatThrownBy(() -> read(zipped, "gzip, gzip", 100)).matches(e -> status(e) == 415);
  }
}
