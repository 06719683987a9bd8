package io.peerlens.vcenter.vim;

import java.time.Duration;
import java.util.List;

/**
 * History of events or tasks, read from the oldest to the newest. vCenter keeps it for this reader
 * until it is closed; an account may have 32 at a time.
 */
public final class History implements AutoCloseable {

  /** vCenter gives no more at once. */
  public static final int PAGE = 1000;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final VimClient client;
  private final Moref collector;
  private final String method;

  History(VimClient client, Moref collector, String method) {
    this.client = client;
    this.collector = collector;
    this.method = method;
  }

  /** The next ones, {@value #PAGE} at most; empty = there is nothing more for now. */
  public List<XmlValue> next() throws VimException {
    return client
        .call(
            method,
            collector,
            PATIENCE,
            arguments -> arguments.number("maxCount", PAGE),
            XmlValue::read)
        .all("returnval");
  }

  @Override
  public void close() throws VimException {
    client.call("DestroyCollector", collector, PATIENCE, arguments -> {}, XmlValue::read);
  }
}
