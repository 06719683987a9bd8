package io.peerlens.vcenter.vim;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.peerlens.support.TestCertificates;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A vCenter that answers calls of the Web Services API as a test says: by the name of a call, or by
 * the property that is asked for.
 */
public final class ScriptedVim implements AutoCloseable {

  private static final String CONTENT =
      """
      <returnval><rootFolder type="Folder">group-d1</rootFolder><propertyCollector type="PropertyCollector">propertyCollector</propertyCollector>
      <sessionManager type="SessionManager">SessionManager</sessionManager><about><name>VMware vCenter Server</name><version>8.0.3</version>
      <apiVersion>8.0.3.0</apiVersion><apiType>VirtualCenter</apiType></about></returnval>""";

  private final HttpsServer server;
  private final String pin;
  private final Map<String, String> answers = new ConcurrentHashMap<>();

  /** Names of the calls, and the properties that were asked for. */
  public final List<String> asked = new CopyOnWriteArrayList<>();

  /**
   * Starts one.
   *
   * @param folder for its certificate, such as a temporary one
   */
  public ScriptedVim(Path folder) throws Exception {
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    TestCertificates certificate = TestCertificates.make(folder, "CN=vcenter", "ip:127.0.0.1");
    pin = certificate.sha256();
    server.setHttpsConfigurator(new HttpsConfigurator(certificate.context(certificate)));
    server.createContext(
        "/",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          String call = body.replaceFirst("(?s).*<soapenv:Body><(\\w+).*", "$1");
          String what =
              call.equals("RetrievePropertiesEx")
                  ? body.replaceFirst("(?s).*<pathSet>([^<]*).*", "$1")
                  : call;
          asked.add(what);
          String answer =
              what.equals("RetrieveServiceContent") ? CONTENT : answers.getOrDefault(what, "");
          boolean fault = answer.startsWith("<soapenv:Fault");
          String text =
              "<?xml version=\"1.0\"?><soapenv:Envelope xmlns:soapenv=\"http://schemas.xmlsoap.org/soap/envelope/\""
                  + " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><soapenv:Body>"
                  + (fault ? answer : "<" + call + "Response>" + answer + "</" + call + "Response>")
                  + "</soapenv:Body></soapenv:Envelope>";
          byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "text/xml");
          exchange.sendResponseHeaders(fault ? 500 : 200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  /** Answers a call with what stands in its response. */
  public ScriptedVim answer(String call, String xml) {
    answers.put(call, xml);
    return this;
  }

  /** Answers the question for a property of one object, the value as it is written. */
  public ScriptedVim property(String path, String val) {
    return answer(
        path,
        "<returnval><objects><obj type=\"Any\">any-1</obj><propSet><name>%s</name>%s</propSet></objects></returnval>"
            .formatted(path, val));
  }

  /** Answers a call with a fault. */
  public ScriptedVim fault(String call, String type, String message) {
    return answer(
        call,
        "<soapenv:Fault><faultcode>ServerFaultCode</faultcode><faultstring>%s</faultstring><detail><%sFault xsi:type=\"%s\"/></detail></soapenv:Fault>"
            .formatted(message, type, type));
  }

  /** A client of it. */
  public VimClient client() throws VimException {
    return VimClient.connect(
        VimAddress.of(URI.create("https://127.0.0.1:" + server.getAddress().getPort())),
        (host, port) -> List.of(InetAddress.getLoopbackAddress()),
        new Trust.Pinned(pin));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
