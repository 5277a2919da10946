/** What is asked of Shopify's Admin API. A test validates it against the schema of the version that it names. */

export const shopifyVersion = "2026-10";

/** At 10 products of up to 50 images a page costs about half of what one query may. */
const media = `
  nodes {
    id
    alt
    ... on MediaImage { status image { url } }
  }
  pageInfo { hasNextPage endCursor }`;

export const productsQuery = `query Products($after: String) {
  products(first: 10, after: $after, sortKey: ID) {
    nodes { id title handle media(first: 50, sortKey: ID) {${media} } }
    pageInfo { hasNextPage endCursor }
  }
}`;

export const productMediaQuery = `query ProductMedia($id: ID!, $after: String) {
  product(id: $id) { media(first: 250, after: $after, sortKey: ID) {${media} } }
}`;

export const stagedUploadMutation = `mutation StageUpload($input: [StagedUploadInput!]!) {
  stagedUploadsCreate(input: $input) {
    stagedTargets { url resourceUrl parameters { name value } }
    userErrors { field message }
  }
}`;

/** Adds to a product's media, and changes nothing else of it. */
export const addMediaMutation = `mutation AddMedia($id: ID!, $media: [CreateMediaInput!]) {
  productUpdate(product: { id: $id }, media: $media) {
    product { id }
    userErrors { field message }
  }
}`;

export interface MediaPage {
  readonly nodes: readonly {
    readonly id: string;
    readonly alt: string | null;
    /** Images have it, and no other media. */
    readonly status?: string;
    readonly image?: { readonly url: string } | null;
  }[];
  readonly pageInfo: PageInfo;
}

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
}

export interface ProductsAnswer {
  readonly products: {
    readonly nodes: readonly {
      readonly id: string;
      readonly title: string;
      readonly handle: string;
      readonly media: MediaPage;
    }[];
    readonly pageInfo: PageInfo;
  };
}

export interface ProductMediaAnswer {
  readonly product: { readonly media: MediaPage } | null;
}

interface UserErrors {
  readonly userErrors: readonly { readonly message: string }[];
}

export interface StagedUploadAnswer {
  readonly stagedUploadsCreate: UserErrors & {
    readonly stagedTargets:
      | readonly {
          readonly url: string;
          readonly resourceUrl: string;
          readonly parameters: readonly { readonly name: string; readonly value: string }[];
        }[]
      | null;
  };
}

export interface AddMediaAnswer {
  readonly productUpdate: UserErrors;
}
