/** Which keys of vROps are told, and which of those that published dashboards use. */
@NullMarked
package io.peerlens.vcenter.keys;

import org.jspecify.annotations.NullMarked;
