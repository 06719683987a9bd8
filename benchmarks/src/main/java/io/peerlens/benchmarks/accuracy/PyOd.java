package io.peerlens.benchmarks.accuracy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A detector of PyOD, bucket by bucket, in a Python process: see pyod_scores.py. */
final class PyOd implements Detector, Detector.Run {

  private final String name;
  private final double minDeviation;
  private final Writer to;
  private final BufferedReader from;

  private PyOd(String name, double minDeviation, Writer to, BufferedReader from) {
    this.name = name;
    this.minDeviation = minDeviation;
    this.to = to;
    this.from = from;
  }

  static PyOd of(String python, String name) {
    try {
      Process process =
          new ProcessBuilder(python, "benchmarks/src/main/python/pyod_scores.py", name)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      return new PyOd(
          name,
          0,
          new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8),
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String name() {
    return "PyOD " + name;
  }

  /** That of its MAD; its other detectors have a share of outliers instead. */
  @Override
  public double threshold() {
    return 3.5;
  }

  @Override
  public Run start(Trace trace) {
    return new PyOd(name, trace.minDeviation(), to, from);
  }

  @Override
  public void step(int bucket, double[] values, double[] scores) {
    Arrays.fill(scores, Double.NaN);
    double[] sorted = Arrays.stream(values).filter(v -> !Double.isNaN(v)).sorted().toArray();
    if (sorted.length < 3) {
      return;
    }
    double median = sorted[sorted.length / 2];
    StringBuilder line = new StringBuilder();
    for (double v : values) {
      if (!Double.isNaN(v)) {
        line.append(v).append(' ');
      }
    }
    String[] answer;
    synchronized (to) {
      try {
        to.write(line.append('\n').toString());
        to.flush();
        String read = from.readLine();
        if (read == null) {
          throw new IllegalStateException("PyOD " + name + " has ended; its message is above");
        }
        answer = read.split(" ");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    int at = 0;
    for (int i = 0; i < values.length; i++) {
      if (!Double.isNaN(values[i])) {
        double score = Double.parseDouble(answer[at++]);
        double deviation = values[i] - median;
        scores[i] = Math.abs(deviation) < minDeviation ? 0 : Math.copySign(score, deviation);
      }
    }
  }

  @Override
  public void forget(boolean[] members) {}

  @Override
  public Run copy() {
    return this;
  }
}
