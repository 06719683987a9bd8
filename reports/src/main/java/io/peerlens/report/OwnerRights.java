package io.peerlens.report;

import io.peerlens.api.model.UserRole;
import io.peerlens.security.Caller;
import java.util.UUID;
import java.util.function.Supplier;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;

/** The rights of a report: what its owner reads as a viewer, whoever runs it. */
final class OwnerRights {

  private OwnerRights() {}

  /** Does work as an owner. */
  static <T> T as(String owner, Supplier<T> work) {
    SecurityContext before = SecurityContextHolder.getContext();
    SecurityContext context = SecurityContextHolder.createEmptyContext();
    Caller caller = new Caller(new UUID(0, 0), owner, UserRole.VIEWER, null, null, null);
    context.setAuthentication(
        UsernamePasswordAuthenticationToken.authenticated(
            caller, null, AuthorityUtils.createAuthorityList("ROLE_viewer")));
    SecurityContextHolder.setContext(context);
    try {
      return work.get();
    } finally {
      SecurityContextHolder.setContext(before);
    }
  }
}
