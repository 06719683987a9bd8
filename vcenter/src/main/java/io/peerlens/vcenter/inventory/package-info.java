/** The configuration of a vCenter as records of ours: objects with properties, tags, parents. */
@NullMarked
package io.peerlens.vcenter.inventory;

import org.jspecify.annotations.NullMarked;
