package io.peerlens.vcenter.vim;

import java.util.Optional;

/** Singletons of a vCenter, and what it says of itself. */
public final class ServiceContent {

  private final XmlValue content;

  ServiceContent(XmlValue content) {
    this.content = content;
  }

  /** Product with version, such as {@code VMware vCenter Server 8.0.3}. */
  public String product() {
    String name = content.text("about.name");
    String version = version();
    return name.isEmpty() ? version : name + " " + version;
  }

  /** Product with version and build, such as {@code VMware vCenter Server 8.0.3 build 24022515}. */
  public String productAndBuild() {
    return build().isEmpty() ? product() : product() + " build " + build();
  }

  /** Version of the product, such as {@code 8.0.3}. */
  public String version() {
    return content.text("about.version");
  }

  /** Build of the product. */
  public String build() {
    return content.text("about.build");
  }

  /** Version of the API, such as {@code 8.0.3.0}. */
  public String apiVersion() {
    return content.text("about.apiVersion");
  }

  /** Whether it is a vCenter; otherwise it is a single host. */
  public boolean isVCenter() {
    return content.text("about.apiType").equals("VirtualCenter");
  }

  /** Id of this vCenter, which stays when it is renamed. */
  public String instanceUuid() {
    return content.text("about.instanceUuid");
  }

  /** The folder that holds everything. */
  public Moref rootFolder() throws VimException {
    return needed("rootFolder");
  }

  Moref propertyCollector() throws VimException {
    return needed("propertyCollector");
  }

  Moref sessionManager() throws VimException {
    return needed("sessionManager");
  }

  Moref viewManager() throws VimException {
    return needed("viewManager");
  }

  Moref perfManager() throws VimException {
    return needed("perfManager");
  }

  Moref eventManager() throws VimException {
    return needed("eventManager");
  }

  Moref taskManager() throws VimException {
    return needed("taskManager");
  }

  Moref authorizationManager() throws VimException {
    return needed("authorizationManager");
  }

  /** Manager of custom attributes; a single host has none. */
  public Optional<Moref> customFieldsManager() {
    return content.moref("customFieldsManager");
  }

  /** Settings of the vCenter itself. */
  Optional<Moref> settings() {
    return content.moref("setting");
  }

  private Moref needed(String name) throws VimException {
    Optional<Moref> found = content.moref(name);
    if (found.isEmpty()) {
      throw new VimException.Unavailable("The vCenter has no " + name, null);
    }
    return found.get();
  }
}
